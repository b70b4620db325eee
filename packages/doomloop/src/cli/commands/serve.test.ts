import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommand } from "../../../../../test/run-command.ts";

const isWindows = process.platform === "win32";
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-serve-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const environment = () => ({ PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home, LOCALAPPDATA: home });

/** Runs the command in this process, where it ends by itself. */
const serve = (...words: string[]) => runCommand(["serve", ...words], { cwd: home, env: environment() });

function start(...words: string[]): ChildProcess & { text(): string } {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../main.ts"), "serve", ...words], {
    env: environment(),
    stdio: "pipe",
  });
  let text = "";
  child.stdout.on("data", (piece) => (text += piece));
  child.stderr.on("data", (piece) => (text += piece));
  return Object.assign(child, { text: () => text });
}

describe("doomloop serve", () => {
  it.skipIf(isWindows)("says how agents are told of it, answers, and ends when it is asked to", async () => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      const child = start("--port", "0");
      await expect.poll(child.text).toContain("DOOMLOOP_TOKEN=");
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(child.text()) ?? [];
      const token = readFileSync(join(home, "doomloop", "serve-token"), "utf8").trim();
      const answer = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: "{}",
      });
      child.kill(signal);

      for (const event of ["SubagentStart", "Stop", "SubagentStop"]) expect(child.text()).toContain(` ${event}`);

      expect(await answer.text()).toBe("");
      expect(child.text()).not.toContain(token);
      expect(await once(child, "close")).toEqual([0, null]);
    }
  });

  it("asks for another port where one is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await serve("--port", String(port));
    other.close();

    expect(code).toBe(2);
    expect(stderr).toContain(`port ${port} is already in use`);
  });

  it("has a help that fits into 80 columns", async () => {
    const { code, stdout } = await serve("--help");

    expect(code).toBe(0);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("refuses what is no port", async () => {
    expect((await serve("--port", "70000")).code).toBe(2);
  });
});

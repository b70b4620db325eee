import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const isWindows = process.platform === "win32";
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "doomloop-serve-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function start(...words: string[]): ChildProcess & { text(): string } {
  const env = { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home, LOCALAPPDATA: home };
  const child = spawn(process.execPath, [join(import.meta.dirname, "../main.ts"), "serve", ...words], {
    env,
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
      await expect.poll(child.text, { timeout: 60_000 }).toContain("DOOMLOOP_TOKEN=");
      const [, port] = /127\.0\.0\.1:(\d+)/.exec(child.text()) ?? [];
      const token = readFileSync(join(home, "doomloop", "serve-token"), "utf8").trim();
      const answer = await fetch(`http://127.0.0.1:${port}/hook/claude-code`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}` },
        body: "{}",
      });
      child.kill(signal);

      for (const event of ["SubagentStart", "Stop", "SubagentStop"]) expect(child.text()).toContain(` ${event}`);

      expect(await answer.text()).toBe("{}");
      expect(child.text()).not.toContain(token);
      expect(await once(child, "close")).toEqual([0, null]);
    }
  });

  it("asks for another port where one is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const child = start("--port", String(port));

    expect(await once(child, "close")).toEqual([2, null]);
    expect(child.text()).toContain(`got ${port}`);
    other.close();
  });

  it("has a help that fits into 80 columns", async () => {
    const child = start("--help");
    await once(child, "close");

    expect(
      child
        .text()
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });

  it("refuses what is no port", async () => {
    const child = start("--port", "70000");

    expect(await once(child, "close")).toEqual([2, null]);
  });
});

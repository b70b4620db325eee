import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { askResident } from "./ask-resident.ts";

const script = join(import.meta.dirname, "hook.sh");
let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "dl-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program in place of Node, which notes that it was run. */
function program(path: string, more = ""): string {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `#!/bin/sh\necho run > '${path}.run'\n${more}\n`, { mode: 0o755 });
  return path;
}

function runHook(words: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder) {
  const start = performance.now();
  const line = `/bin/sh ${script} ${words.join(" ")} 1 'hook/agent?v=1' 2>/dev/null || :`;
  const { status, stdout } = spawnSync("/bin/sh", ["-c", line], { cwd, env, input: "{}", encoding: "utf8" });
  return { status, stdout, ms: performance.now() - start };
}

describe.skipIf(process.platform === "win32")("the hook of an agent", () => {
  it("ends before the agent gives up on it if a program hangs and has started another that does", () => {
    const node = program(join(folder, "node"), "sleep 20");
    const { status, stdout, ms } = runHook([join(folder, "state"), node]);

    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(existsSync(`${node}.run`)).toBe(true);
    expect(ms).toBeLessThan(10_000);
  });

  it("finds no Node by the path that the environment names", () => {
    const repository = join(folder, "repository");
    const traps = ["bin", "node_modules/.bin", "relative"].map((name) => program(join(repository, name, "node")));
    const PATH = ["relative", "/proc/self/cwd/bin", ...traps.map((path) => join(path, ".."))].join(":");
    runHook([join(folder, "state"), "-"], { PATH, HOME: repository }, repository);

    expect(traps.filter((path) => existsSync(`${path}.run`))).toEqual([]);
  });
});

it.skipIf(process.platform !== "linux")("is not waited for if its state folder cannot be made", async () => {
  const start = performance.now();
  // Not even root can write there.
  const state = "/sys/doomloop";
  const answer = await askResident({ state, node: process.execPath, path: "/hook/agent", timeoutMs: 5_000 });

  expect(answer).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(2_000);
});

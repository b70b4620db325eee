import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
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

function runHook(words: readonly string[], env: Readonly<Record<string, string>> = {}, cwd = folder, hook = script) {
  const start = performance.now();
  const line = `/bin/sh ${hook} ${words.join(" ")} 1 'hook/agent?v=1' 2>/dev/null || :`;
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

it.skipIf(process.platform === "win32")("takes no Node that is too old for the resident, if it has to find one", () => {
  const says = (version: string): string => `[ "$1" = -v ] && echo ${version} && rm "$0.run"`;
  const [old, next] = [
    program(join(folder, "old/node"), says("v20.19.0")),
    program(join(folder, "next/node"), says("v24.1.0")),
  ];
  const places = `${old} ${next} ${join(folder, "absent")}`;
  const [copy, text] = [join(folder, "hook.sh"), readFileSync(script, "utf8")];
  const usual = /"\$home"\/\.nvm[^;]*\/usr\/bin\/node/;
  expect(text).toMatch(usual);
  writeFileSync(copy, text.replace(usual, places));
  writeFileSync(join(folder, "main.js"), "");
  runHook([join(folder, "state"), "-"], {}, folder, copy);

  expect([old, next].map((path) => existsSync(`${path}.run`))).toEqual([false, true]);
});

describe.skipIf(process.geteuid?.() !== 0)("root, in the home of a user", () => {
  it.for([["hook.sh"], ["ask-resident.ts"]])(
    "makes nothing that the user could not write to, with %s",
    async ([by]) => {
      const state = join(folder, "state");
      mkdirSync(state);
      for (const path of [folder, state]) chownSync(path, 12345, 12345);
      for (const path of [state, join(folder, ".local/state/doomloop")]) {
        if (by === "hook.sh") runHook([path, process.execPath]);
        else await askResident({ state: path, node: process.execPath, path: "/status", timeoutMs: 500 });
      }

      expect(existsSync(join(state, "run"))).toBe(false);
      expect(existsSync(join(folder, ".local"))).toBe(false);
    },
  );
});

it.skipIf(process.platform !== "linux")("is not waited for if its state folder cannot be made", async () => {
  const start = performance.now();
  // Not even root can write there.
  const state = "/sys/doomloop";
  const answer = await askResident({ state, node: process.execPath, path: "/hook/agent", timeoutMs: 5_000 });

  expect(answer).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(2_000);
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { geminiCli } from "../gemini-cli/agent.ts";
import { qwenCode } from "../qwen-code/agent.ts";
import type { AgentSettings, SharedFile } from "./agent-settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "doomloop-env-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform === "win32").for([
  ["gemini-cli", geminiCli.settings!],
  ["qwen-code", qwenCode.settings!],
] as const)("the environment of hooks in %s", ([, settings]) => {
  it.for(handlersOf(settings))("runs nothing of a repository's .env", ({ env }) => {
    writeFileSync(join(folder, "startup.sh"), "echo startup\n");
    const theirs = {
      BASH_ENV: "./startup.sh",
      SHELLOPTS: "xtrace",
      PS4: "$(echo traced >&2)",
      LD_PRELOAD: "./library.so",
      LD_AUDIT: "./library.so",
    };

    // Without a level, bash reads the user's own files.
    const usual = { PATH: process.env.PATH, SHLVL: "2" };
    const run = (more: object) =>
      spawnSync("/bin/bash", ["-c", ":"], {
        timeout: 10_000,
        cwd: folder,
        env: { ...usual, ...theirs, ...more },
        stdio: ["ignore", "pipe", "pipe"],
      });

    expect(String(run({}).stdout)).toContain("startup");
    const { stdout, stderr } = run(env);
    expect(`${stdout}${stderr}`).toBe("");
  });

  it.for(handlersOf(settings))(
    "runs no .bashrc of a repository, whose .env is the only one to name a home",
    ({ env }) => {
      writeFileSync(join(folder, ".bashrc"), "echo startup\n");
      const theirs = { HOME: folder, SHLVL: "0", SSH_CLIENT: "x" };
      // The input is a socket, as agents on Node open it.
      const run = (more: object) =>
        spawnSync("/bin/bash", ["-c", ":"], {
          timeout: 10_000,
          cwd: folder,
          env: { PATH: process.env.PATH, ...theirs, ...more },
          stdio: "pipe",
        });

      expect(String(run({}).stdout)).toContain("startup");
      expect(String(run(env).stdout)).toBe("");
    },
  );
});

function handlersOf({ files }: AgentSettings): readonly { readonly env: object }[] {
  const place = { env: {}, platform: process.platform, home: "/home/user" };
  const [file] = files(place, { command: () => "", seconds: 5 });
  return Object.values((file as SharedFile).hooks).flatMap(({ hooks }) => hooks as readonly { env: object }[]);
}

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { AgentEvent } from "../packages/doomloop/src/core/event.ts";
import type { Report } from "../packages/doomloop/src/scan/report/report.ts";
import { type CommandOutcome, runCommand, spawnCommand } from "./run-command.ts";
import { PATIENT } from "./run-hook.ts";

/** A folder of its own in which the command line runs, with a home and a cache in it. */
export interface CliSandbox {
  readonly folder: string;
  /** Runs a command in this process, in the folder or in another one. */
  doomloop(args: readonly string[], env?: Readonly<Record<string, string>>, cwd?: string): Promise<CommandOutcome>;
  /** The same in a process of its own, as users do. It takes long: one test of each command is enough. */
  spawned: CliSandbox["doomloop"];
  /** Writes a file, with the folders that it needs. Returns its name. */
  write(name: string, content: string | Uint8Array): string;
  /** The report of a scan that has nothing to complain of. */
  reportOf(args: readonly string[]): Promise<Report>;
  remove(): void;
}

const main = resolve(import.meta.dirname, "../packages/doomloop/src/cli/main.ts");

export function createCliSandbox(): CliSandbox {
  const folder = mkdtempSync(join(tmpdir(), "doomloop-scan-"));
  const own = {
    PATH: process.env.PATH,
    HOME: join(folder, "home"),
    DOOMLOOP_CACHE: join(folder, "cache"),
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  };

  const doomloop: CliSandbox["doomloop"] = (args, env = {}, cwd = folder) =>
    runCommand(args, { env: { ...own, ...env }, cwd });

  const spawned: CliSandbox["spawned"] = (args, env = {}, cwd = folder) =>
    spawnCommand(process.execPath, [main, ...args], { env: { ...own, NODE_OPTIONS: PATIENT.join(" "), ...env }, cwd });

  return {
    folder,
    doomloop,
    spawned,
    write(name, content) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, name), content);
      return name;
    },
    async reportOf(args) {
      const { stdout, stderr } = await doomloop(["scan", "--json", ...args]);
      expect(stderr).toBe("");
      return JSON.parse(stdout) as Report;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Runs as a trace. */
export function trace(runs: Readonly<Record<string, readonly AgentEvent[]>>, model = "gpt-4o"): string {
  return Object.entries(runs)
    .map(([run, events]) => `${JSON.stringify({ run, model, events })}\n`)
    .join("");
}

export interface ClaudeSession {
  readonly session?: string;
  readonly calls?: number;
}

/** A session as Claude Code keeps it, which calls one failing command again and again. */
export function claudeSession(at: number, { session = "claude-1", calls = 8 }: ClaudeSession = {}): string {
  const lines = Array.from({ length: calls }, (_, index) => {
    const timestamp = new Date(at + index * 1000).toISOString();
    const base = { isSidechain: false, cwd: "/home/me/api", sessionId: session, timestamp };
    const usage = { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 970, cache_creation_input_tokens: 0 };
    const content = [{ type: "tool_use", id: `t${index}`, name: "Bash", input: { command: "npm test" } }];
    const message = { id: `m${index}`, role: "assistant", model: "claude-sonnet-4-5", content, usage };
    const result = [{ type: "tool_result", tool_use_id: `t${index}`, content: "Error: 1 test failed", is_error: true }];
    return [
      { ...base, type: "assistant", uuid: `a${index}`, message },
      { ...base, type: "user", uuid: `u${index}`, message: { role: "user", content: result } },
    ];
  });
  return lines
    .flat()
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

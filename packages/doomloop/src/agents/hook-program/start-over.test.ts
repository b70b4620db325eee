import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleHook } from "../../../../../scripts/package/bundle-hook.ts";
import { inPlace } from "../../../../../test/run-command.ts";
import { PATIENT } from "../../../../../test/run-hook.ts";
import { createWorkspace, type Workspace } from "../../workspace/index.ts";
import { workspaceState } from "../../workspace/open-workspace.ts";
import { runHookProgram } from "./run-hook-program.ts";

let program: string;
let home: string;
let root: string;
let changes = 0;

beforeAll(async () => {
  program = mkdtempSync(join(tmpdir(), "doomloop-hook-"));
  await bundleHook(program);
  writeFileSync(join(program, "clock.cjs"), "Date.now = () => Number(process.env.NOW);\n");
});
afterAll(() => rmSync(program, { recursive: true, force: true }));
beforeEach(() => {
  now = BEGIN;
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-back-")));
  root = join(home, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, "parser.ts"), "before\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

/** Each lap takes some seconds, and begins long ago: no file of a test is older than a lap. */
const LAP_MS = 5_000;
const BEGIN = Date.now() - 3_600_000;
let now = BEGIN;

interface HookOptions {
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /**
   * Whether the hook is a process of its own, as agents start it. Words and an environment need one.
   * @default false
   */
  readonly isProcess?: boolean;
}

const WORDS = ["--host", "claude-code", "--unattended"];

function inputOf(event: string, more: object): string {
  const base = { session_id: "s1", transcript_path: "/t.jsonl", cwd: root, hook_event_name: event };
  return JSON.stringify({ ...base, ...more });
}

const environment = () => ({ PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state") });

function spawnHook(event: string, more: object = {}, { words = ["--start-over"], env = {} }: HookOptions = {}): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...PATIENT, "--require", join(program, "clock.cjs"), join(program, "main.cjs"), ...WORDS, ...words],
    {
      input: inputOf(event, more),
      env: { ...environment(), NOW: String(now), ...env },
      encoding: "utf8",
    },
  );
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

/** The same in this process, which is quicker. */
async function hookHere(event: string, more: object): Promise<string> {
  const input = Readable.from([Buffer.from(inputOf(event, more))]);
  const state = join(home, "state", "doomloop");
  const realNow = Date.now;
  return inPlace({ cwd: root, env: environment() }, async () => {
    Date.now = () => now;
    try {
      return await runHookProgram({ words: [...WORDS, "--start-over"], input, state, remainingMs: () => 1_000_000 });
    } finally {
      Date.now = realNow;
    }
  });
}

async function hook(event: string, more: object = {}, options: HookOptions = {}): Promise<string> {
  const { words, env, isProcess = words !== undefined || env !== undefined } = options;
  return isProcess ? spawnHook(event, more, options) : hookHere(event, more);
}

interface LapOptions extends HookOptions {
  readonly command?: string;
  readonly output?: string;
  /** What happens to the files when the call runs. */
  effect?(): void;
}

/** One call of the loop with its result, if it may run: what was said at each event. */
async function lap(at: number, options: LapOptions = {}): Promise<string[]> {
  const { command = "npm test", output = "it failed", effect } = options;
  now = BEGIN + at * LAP_MS;
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${at}` };
  const before = await hook("PreToolUse", call, options);
  const isRefused = before.includes("deny");
  if (!isRefused) effect?.();
  const result = { ...call, tool_response: { stdout: output, stderr: "" } };
  const after = isRefused ? "" : await hook("PostToolUse", result, options);
  const batch = await hook("PostToolBatch", { tool_calls: [{ ...call, tool_response: output }] }, options);
  return [before, after, batch];
}

/** The lap at which a run starts over: when the words were ignored often enough. */
const LAST = 19;

/** All laps before the last. Files are kept at the first words, in the third; what follows is only many, and needs no process. */
async function lapsBefore(options?: LapOptions): Promise<string[]> {
  const said: string[] = [];
  for (let at = 0; at < LAST; at++) {
    const { env: _env, ...here } = { ...options, isProcess: false };
    said.push(...(await lap(at, at < 3 ? options : here)));
  }
  return said;
}

const laps = async (options?: LapOptions): Promise<string[]> => [
  ...(await lapsBefore(options)),
  ...(await lap(LAST, options)),
];
const parser = (): string => readFileSync(join(root, "parser.ts"), "utf8");

/** The one that the commands open. */
function workspace(): Workspace {
  return createWorkspace({ root, stateDirectory: workspaceState(join(home, "state", "doomloop"), root) });
}

describe("the hook with --start-over", () => {
  it("puts the files back when all calls are over, says so, and can be undone", async () => {
    const isProcess = true;
    await hook("UserPromptSubmit", { prompt: "Fix the parser." }, { isProcess });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    writeFileSync(join(root, "scratch.ts"), "");
    const said = await laps({ isProcess });

    expect(parser()).toBe("before\n");
    expect(existsSync(join(root, "scratch.ts"))).toBe(false);
    expect(said.at(-2)).toBe("");
    expect(said.at(-3)).toContain("deny");
    expect(said.at(-1)).toContain("[doomloop] Start over: you went in circles.");
    expect(said.join("")).not.toContain("stopReason");
    const checkpoints = await workspace().list();
    expect(checkpoints.map(({ kind }) => kind)).toEqual(["safety", "asked", "asked"]);
    expect(said.at(-1)).toContain("`doomloop undo` takes that back");
    await workspace().undo();
    expect(parser()).toBe("worse\n");
  });

  it("goes back to the latest prompt only", async () => {
    await hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "better\n");
    await hook("UserPromptSubmit", { prompt: "And now the printer." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    await laps();

    expect(parser()).toBe("better\n");
  });

  it.each(["git fails", "the folder is a home"])("ends the run as without it where %s", async (reason) => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const options = { env: reason === "git fails" ? { PATH: bin } : { HOME: root } };
    await hook("UserPromptSubmit", { prompt: "Fix the parser." }, options);
    writeFileSync(join(root, "parser.ts"), "worse\n");
    const said = await laps(options);

    expect(said.at(-1)).toContain("stopReason");
    expect(parser()).toBe("worse\n");
  });

  it.each<[string, LapOptions]>([
    ["tests pass again and again", { output: "12 passed\n".repeat(20) }],
    ["nothing fails, and the run is ended", { command: "cat notes.md", output: "nothing found" }],
    [
      "the command changes files each time, whatever it says",
      { effect: () => writeFileSync(join(root, "parser.ts"), `worse ${++changes}\n`) },
    ],
  ])("puts nothing back where %s", async (_, options) => {
    await hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    const said = (await laps(options)).join("");

    expect(parser()).toMatch(/^worse/);
    expect(said).not.toContain("Start over");
  });

  it("puts nothing back where something was committed since the prompt", async () => {
    const git = (...words: string[]): void =>
      void spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root });
    rmSync(join(root, ".git"), { recursive: true });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "one");
    await hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "better\n");
    git("add", "-A");
    git("commit", "-q", "-m", "two");
    const said = (await laps()).join("");

    expect(parser()).toBe("better\n");
    expect(said).not.toContain("Start over");
  });

  it("says nothing of files where none had changed", async () => {
    await hook("UserPromptSubmit", { prompt: "Fix the parser." });
    const said = (await laps()).join("");

    expect(said).toContain("Start over: you went in circles.");
    expect(said).toContain("The files are as you left them.");
    expect(said).not.toContain("doomloop undo");
  });

  it("keeps no files where nobody asked for it", async () => {
    await hook("UserPromptSubmit", { prompt: "Fix the parser." }, { words: [] });

    expect(existsSync(join(home, "state/doomloop/workspaces"))).toBe(false);
  });

  it("refuses the call and does nothing else where the files cannot be put back any more", async () => {
    await hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    await lapsBefore();
    rmSync(join(home, "state/doomloop/workspaces"), { recursive: true });
    const said = await lap(LAST);

    expect(said[0]).toContain("deny");
    expect(said[2]).toContain("[doomloop]");
    expect(said[2]).not.toMatch(/Start over|starts over|back to where/);
    expect(parser()).toBe("worse\n");
  });
});

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleHook } from "../../../../../scripts/package/bundle-hook.ts";
import { createWorkspace, type Workspace } from "../../workspace/index.ts";
import { workspaceState } from "../../workspace/workspace-state.ts";
import { runHookProgram } from "./run-hook-program.ts";

let program: string;
let home: string;
let root: string;
let changes = 0;

beforeAll(async () => {
  program = mkdtempSync(join(tmpdir(), "doomloop-hook-"));
  await bundleHook(program);
});
afterAll(() => rmSync(program, { recursive: true, force: true }));
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-back-")));
  root = join(home, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, "parser.ts"), "before\n");
});
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

interface HookOptions {
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

const WORDS = ["--host", "claude-code", "--unattended"];

function inputOf(event: string, more: object): string {
  const base = { session_id: "s1", transcript_path: "/t.jsonl", cwd: root, hook_event_name: event };
  return JSON.stringify({ ...base, ...more });
}

function hook(event: string, more: object = {}, { words = ["--start-over"], env = {} }: HookOptions = {}): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [join(program, "main.cjs"), ...WORDS, ...words], {
    input: inputOf(event, more),
    env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state"), ...env },
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

/** The same in this process, which is quicker. */
function hookHere(event: string, more: object): Promise<string> {
  const input = Readable.from([Buffer.from(inputOf(event, more))]);
  const state = join(home, "state", "doomloop");
  return runHookProgram({ words: [...WORDS, "--start-over"], input, state, remainingMs: () => 10_000 });
}

interface LapOptions extends HookOptions {
  readonly command?: string;
  readonly output?: string;
  /** What happens to the files when the call runs. */
  effect?(): void;
}

/** One call of the loop with its result, if it may run: what was said at each event. */
async function lap(
  at: number,
  options: LapOptions = {},
  tell: (event: string, more: object, options: HookOptions) => string | Promise<string> = hook,
): Promise<string[]> {
  const { command = "npm test", output = "it failed", effect } = options;
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_${at}` };
  const before = await tell("PreToolUse", call, options);
  const isRefused = before.includes("deny");
  if (!isRefused) effect?.();
  const result = { ...call, tool_response: { stdout: output, stderr: "" } };
  const after = isRefused ? "" : await tell("PostToolUse", result, options);
  const batch = await tell("PostToolBatch", { tool_calls: [{ ...call, tool_response: output }] }, options);
  return [before, after, batch];
}

/** The lap at which a run starts over that goes round in no time: 68 after the first words. */
const LAST = 70;

/** All laps before the last. Files are kept at the first words, in the third; what follows is only many. */
async function lapsBefore(options?: LapOptions): Promise<string[]> {
  const said: string[] = [];
  for (let at = 0; at < LAST; at++) said.push(...(await lap(at, options, at < 3 ? hook : hookHere)));
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
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    writeFileSync(join(root, "scratch.ts"), "");
    const said = await laps();

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
  }, 60_000);

  it("goes back to the latest prompt only", async () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "better\n");
    hook("UserPromptSubmit", { prompt: "And now the printer." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    await laps();

    expect(parser()).toBe("better\n");
  }, 60_000);

  it.each(["git fails", "the folder is a home"])(
    "ends the run as without it where %s",
    async (reason) => {
      const bin = join(home, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "git"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      const options = { env: reason === "git fails" ? { PATH: bin } : { HOME: root } };
      hook("UserPromptSubmit", { prompt: "Fix the parser." }, options);
      writeFileSync(join(root, "parser.ts"), "worse\n");
      const said = await laps(options);

      expect(said.at(-1)).toContain("stopReason");
      expect(parser()).toBe("worse\n");
    },
    60_000,
  );

  it.each<[string, LapOptions]>([
    ["tests pass again and again", { output: "12 passed\n".repeat(20) }],
    ["nothing fails, and the run is ended", { command: "cat notes.md", output: "nothing found" }],
    [
      "the command changes files each time, whatever it says",
      { effect: () => writeFileSync(join(root, "parser.ts"), `worse ${++changes}\n`) },
    ],
  ])(
    "puts nothing back where %s",
    async (_, options) => {
      hook("UserPromptSubmit", { prompt: "Fix the parser." });
      writeFileSync(join(root, "parser.ts"), "worse\n");
      const said = (await laps(options)).join("");

      expect(parser()).toMatch(/^worse/);
      expect(said).not.toContain("Start over");
    },
    60_000,
  );

  it("puts nothing back where something was committed since the prompt", async () => {
    const git = (...words: string[]): void =>
      void spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root });
    rmSync(join(root, ".git"), { recursive: true });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "one");
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "better\n");
    git("add", "-A");
    git("commit", "-q", "-m", "two");
    const said = (await laps()).join("");

    expect(parser()).toBe("better\n");
    expect(said).not.toContain("Start over");
  }, 60_000);

  it("says nothing of files where none had changed", async () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    const said = (await laps()).join("");

    expect(said).toContain("Start over: you went in circles.");
    expect(said).toContain("The files are as you left them.");
    expect(said).not.toContain("doomloop undo");
  }, 60_000);

  it("keeps no files where nobody asked for it", () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." }, { words: [] });

    expect(existsSync(join(home, "state/doomloop/workspaces"))).toBe(false);
  });

  it("refuses the call and does nothing else where the files cannot be put back any more", async () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    await lapsBefore();
    rmSync(join(home, "state/doomloop/workspaces"), { recursive: true });
    const said = await lap(LAST);

    expect(said[0]).toContain("deny");
    expect(said[2]).toContain("[doomloop]");
    expect(said[2]).not.toMatch(/Start over|starts over|back to where/);
    expect(parser()).toBe("worse\n");
  }, 60_000);
});

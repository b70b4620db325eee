import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundleHook } from "../../../../../scripts/package/bundle-hook.ts";
import { createWorkspace, type Workspace } from "../../workspace/index.ts";
import { workspaceState } from "../workspace/workspace-state.ts";

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

function hook(event: string, more: object = {}, { words = ["--start-over"], env = {} }: HookOptions = {}): string {
  const base = { session_id: "s1", transcript_path: "/t.jsonl", cwd: root, hook_event_name: event };
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(program, "main.cjs"), "--host", "claude-code", "--unattended", ...words],
    {
      input: JSON.stringify({ ...base, ...more }),
      env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: join(home, "state"), ...env },
      encoding: "utf8",
    },
  );
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

interface LapOptions extends HookOptions {
  readonly output?: string;
  /** What happens to the files when the call runs. */
  effect?(): void;
}

/** One call of the loop with its result, if it may run: what was said at each event. */
function lap(at: number, options: LapOptions = {}): string[] {
  const { output = "it failed", effect } = options;
  const call = { tool_name: "Bash", tool_input: { command: "npm test" }, tool_use_id: `toolu_${at}` };
  const before = hook("PreToolUse", call, options);
  const isRefused = before.includes("deny");
  if (!isRefused) effect?.();
  const result = { ...call, tool_response: { stdout: output, stderr: "" } };
  const after = isRefused ? "" : hook("PostToolUse", result, options);
  const batch = hook("PostToolBatch", { tool_calls: [{ ...call, tool_response: output }] }, options);
  return [before, after, batch];
}

const laps = (count: number, options?: LapOptions): string[] =>
  Array.from({ length: count }, (_, at) => lap(at, options)).flat();
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
    const said = laps(6);

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

  it("goes back to the latest prompt only", () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "better\n");
    hook("UserPromptSubmit", { prompt: "And now the printer." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    laps(6);

    expect(parser()).toBe("better\n");
  }, 60_000);

  it.each(["git fails", "the folder is a home"])(
    "ends the run as without it where %s",
    (reason) => {
      const bin = join(home, "bin");
      mkdirSync(bin);
      writeFileSync(join(bin, "git"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      const options = { env: reason === "git fails" ? { PATH: bin } : { HOME: root } };
      hook("UserPromptSubmit", { prompt: "Fix the parser." }, options);
      writeFileSync(join(root, "parser.ts"), "worse\n");
      const said = laps(6, options);

      expect(said.at(-1)).toContain("stopReason");
      expect(parser()).toBe("worse\n");
    },
    60_000,
  );

  it.each<[string, LapOptions]>([
    ["tests pass again and again", { output: "12 passed\n".repeat(20) }],
    [
      "the command changes files each time, whatever it says",
      { effect: () => writeFileSync(join(root, "parser.ts"), `worse ${++changes}\n`) },
    ],
  ])(
    "puts nothing back where %s",
    (_, options) => {
      hook("UserPromptSubmit", { prompt: "Fix the parser." });
      writeFileSync(join(root, "parser.ts"), "worse\n");
      const said = laps(8, options).join("");

      expect(parser()).toMatch(/^worse/);
      expect(said).not.toContain("Start over");
    },
    60_000,
  );

  it("puts nothing back where something was committed since the prompt", () => {
    const git = (...words: string[]): void =>
      void spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root });
    rmSync(join(root, ".git"), { recursive: true });
    git("init", "-q");
    git("commit", "-q", "--allow-empty", "-m", "one");
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "better\n");
    git("add", "-A");
    git("commit", "-q", "-m", "two");
    const said = laps(8).join("");

    expect(parser()).toBe("better\n");
    expect(said).not.toContain("Start over");
  }, 60_000);

  it("says nothing of files where none had changed", () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    const said = laps(6).join("");

    expect(said).toContain("Start over: you went in circles.");
    expect(said).toContain("The files are as you left them.");
    expect(said).not.toContain("doomloop undo");
  }, 60_000);

  it("keeps no files where nobody asked for it", () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." }, { words: [] });

    expect(existsSync(join(home, "state/doomloop/workspaces"))).toBe(false);
  });

  it("refuses the call and does nothing else where the files cannot be put back any more", () => {
    hook("UserPromptSubmit", { prompt: "Fix the parser." });
    writeFileSync(join(root, "parser.ts"), "worse\n");
    laps(5);
    rmSync(join(home, "state/doomloop/workspaces"), { recursive: true });
    const said = lap(5);

    expect(said[0]).toContain("deny");
    expect(said[2]).toContain("[doomloop]");
    expect(said[2]).not.toMatch(/Start over|starts over|back to where/);
    expect(parser()).toBe("worse\n");
  }, 60_000);
});

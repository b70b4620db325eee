import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDoor, type TestDoor } from "../../../../../test/hook-door.ts";
import { createWorkspace, type Workspace } from "../../workspace/index.ts";
import { workspaceState } from "../../workspace/open-workspace.ts";
import { readLog } from "./intervention-log.ts";

/** Calls follow each other at once, so that it takes more of them until a run is ended. */
const MAX_EVENTS = 600;
const FAILS = "1 failed: expected 3, got 4";

let home: string;
let root: string;
let state: string;
let door: TestDoor;
let calls: number;
const before = { HOME: process.env.HOME, PATH: process.env.PATH };

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-back-")));
  root = join(home, "project");
  state = join(home, "state");
  mkdirSync(join(root, ".git"), { recursive: true });
  writeFileSync(join(root, "parser.ts"), "before\n");
  process.env.HOME = home;
  calls = 0;
  door = openDoor(state);
});
afterEach(() => {
  Object.assign(process.env, before);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

interface TellOptions {
  readonly session?: string;
  readonly query?: string;
}

function tell(event: string, more: object = {}, options: TellOptions = {}): Promise<string> {
  const { session = "s1", query = "mode=unattended&start-over=1" } = options;
  const base = { session_id: session, transcript_path: "/t.jsonl", cwd: root, hook_event_name: event };
  return door.tell(`hook/claude-code?${query}`, { ...base, ...more });
}

interface CallOptions extends TellOptions {
  readonly tool?: string;
  readonly input?: object;
  readonly output?: string;
  readonly isError?: boolean;
  /** What happens to the files when the call runs. */
  effect?(): void;
}

/** One call with its result, if it may run: what was said at each event. */
async function call(command: string, options: CallOptions = {}): Promise<string[]> {
  const { tool = "Bash", input = { command }, output = "done", isError = false, effect } = options;
  const about = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${calls++}` };
  const first = await tell("PreToolUse", about, options);
  const isRefused = first.includes("deny");
  if (!isRefused) effect?.();
  const [event, result] = isError
    ? ["PostToolUseFailure", { error: output }]
    : ["PostToolUse", { tool_response: { stdout: output, stderr: "" } }];
  const second = isRefused ? "" : await tell(event, { ...about, ...result }, options);
  return [first, second, await tell("PostToolBatch", { tool_calls: [{ ...about, tool_response: output }] }, options)];
}

const prompt = (text = "Fix the parser."): Promise<string> => tell("UserPromptSubmit", { prompt: text });
const check = (options: CallOptions = {}): Promise<string[]> =>
  call("npm test", { output: FAILS, isError: true, ...options });
const write = (name: string, text: string): Promise<string[]> =>
  call("", {
    tool: "Write",
    input: { file_path: join(root, name), content: text },
    effect: () => writeFileSync(join(root, name), text),
  });

/** The agent repeats a call, whatever it is told, until its run starts over or is ended. */
async function laps(lap: () => Promise<string[]> = check): Promise<string[]> {
  const said: string[] = [];
  while (said.length < MAX_EVENTS && !/Start over|stopReason/.test(said.at(-1) ?? "")) said.push(...(await lap()));
  return said;
}

/** The check fails, and the agent makes it worse. */
async function failingEdit(): Promise<void> {
  await prompt();
  await check();
  await write("parser.ts", "worse\n");
}

const parser = (): string => readFileSync(join(root, "parser.ts"), "utf8");
const startOvers = () => readLog(state).filter(({ said }) => said === "start-over");

/** The one that the commands open. */
function workspace(): Workspace {
  return createWorkspace({ root, stateDirectory: workspaceState(state, root) });
}

function git(...words: string[]): void {
  const { status } = spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], { cwd: root });
  expect(status).toBe(0);
}

function beginRepository(): void {
  rmSync(join(root, ".git"), { recursive: true });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "one");
}

describe("a run that starts over", () => {
  it("is told and refused again before it ends", async () => {
    await failingEdit();
    await laps();
    const said = await laps();
    const [told, refused] = ["additionalContext", "deny"].map((word) => said.findIndex((one) => one.includes(word)));

    expect(said.at(-1)).toContain("stopReason");
    expect(told).toBeGreaterThan(-1);
    expect(refused).toBeGreaterThan(told!);
    expect(said.length).toBeGreaterThan(refused! + 10);
  });

  it("takes back what was changed since its check began to fail, says so, and can be undone", async () => {
    await prompt();
    await write("feature.ts", "new\n");
    await check();
    await write("parser.ts", "worse\n");
    await call("touch scratch.ts", { effect: () => writeFileSync(join(root, "scratch.ts"), "") });
    const said = await laps();

    expect(parser()).toBe("before\n");
    expect(existsSync(join(root, "scratch.ts"))).toBe(false);
    expect(existsSync(join(root, "feature.ts"))).toBe(true);
    expect(said.at(-3)).toContain("deny");
    expect(said.at(-1)).toContain("[doomloop] Start over: you were in a loop.");
    expect(said.join("")).not.toContain("stopReason");
    expect(JSON.parse(said.at(-1)!).systemMessage).toMatch(/2 files are back .*Undo with `doomloop undo`/);
    expect(said.at(-1)).toContain("Finally, tell the user about this undo.");
    expect(startOvers()).toMatchObject([{ said: "start-over", words: expect.stringContaining("2 files are back") }]);
    await workspace().undo();
    expect(parser()).toBe("worse\n");
    expect(existsSync(join(root, "scratch.ts"))).toBe(true);
  });

  it("also takes back files that were moved, removed or made executable", async () => {
    writeFileSync(join(root, "tool"), "#!/bin/sh\n");
    writeFileSync(join(root, "old.ts"), "old\n");
    await prompt();
    await check();
    await call("mv parser.ts lexer.ts && rm old.ts && chmod +x tool", {
      effect() {
        renameSync(join(root, "parser.ts"), join(root, "lexer.ts"));
        rmSync(join(root, "old.ts"));
        chmodSync(join(root, "tool"), 0o755);
      },
    });
    const said = await laps();

    expect(said.at(-1)).toContain("Start over");
    expect(readdirSync(root).sort()).toEqual([".git", "old.ts", "parser.ts", "tool"]);
  });

  it("knows the check again however the agent describes it", async () => {
    const described = (description: string) => check({ input: { command: "npm test", description } });
    await prompt();
    await described("Run the tests");
    await write("parser.ts", "worse\n");
    const said = await laps(() => described("Run the tests again"));

    expect(said.at(-1)).toContain("Start over");
    expect(parser()).toBe("before\n");
  });

  it("keeps twelve features whose tests pass where a push is denied again and again", async () => {
    await prompt();
    for (let at = 0; at < 12; at++) {
      await write(`feature${at}.ts`, `${at}\n`);
      await call("./pass.sh", { output: `${at + 1} passing` });
    }
    const push = () =>
      call("./push.sh", { output: "denied: requested access to the resource is denied", isError: true });
    const said = await laps(push);

    expect(readdirSync(root).filter((name) => name.startsWith("feature"))).toHaveLength(12);
    expect(said.at(-1)).toContain("Start over: you were in a loop.");
    expect(said.at(-1)).toContain("The files are as you left them.");
    expect(startOvers()).toMatchObject([{ words: expect.stringContaining("Its files stay as they are") }]);
  });

  it("keeps twelve features where a check has failed in the same way all along", async () => {
    await prompt();
    await check();
    for (let at = 0; at < 12; at++) {
      await write(`feature${at}.ts`, `${at}\n`);
      await check();
    }
    await laps();

    expect(readdirSync(root).filter((name) => name.startsWith("feature"))).toHaveLength(12);
  });

  it.each([
    ["the check has passed", () => call("npm test", { output: "12 passed" })],
    ["a build has passed", () => call("npm run build", { output: "built in 2s" })],
    ["the user has spoken", () => prompt("Good. Go on.")],
    ["the check failed in another way", () => check({ output: "1 failed: expected 3, got 5" })],
  ])("does not go back behind the point at which %s", async (_, confirm) => {
    await failingEdit();
    await write("parser.ts", "better\n");
    await confirm();
    const said = await laps();

    expect(parser()).toBe("better\n");
    expect(said.join("")).toContain("The files are as you left them.");
  });

  it("keeps work that no check has seen where something else fails", async () => {
    await prompt();
    await write("parser.ts", "better\n");
    const said = await laps(() => call("./deploy.sh", { output: "fatal: no such target", isError: true }));

    expect(parser()).toBe("better\n");
    expect(said.at(-1)).toContain("The files are as you left them.");
  });

  it("starts over once for each prompt", async () => {
    await failingEdit();
    const [first, second] = [await laps(), await laps()];

    expect(first.at(-1)).toContain("Start over");
    expect(second.at(-1)).toContain("stopReason");
  });
});

describe("a run that may start over, but had company", () => {
  it("leaves the files where a person changed one between two calls", async () => {
    await failingEdit();
    await delay(700);
    writeFileSync(join(root, "human.txt"), "mine\n");
    await delay(100);
    const said = await laps();

    expect(parser()).toBe("worse\n");
    expect(readFileSync(join(root, "human.txt"), "utf8")).toBe("mine\n");
    expect(said.join("")).not.toContain("Start over");
  });

  it("leaves the files where a person removed one between two calls", async () => {
    writeFileSync(join(root, "old.ts"), "old\n");
    await failingEdit();
    await delay(700);
    rmSync(join(root, "old.ts"));
    await delay(100);
    await laps();

    expect(parser()).toBe("worse\n");
    expect(existsSync(join(root, "old.ts"))).toBe(false);
  });

  it("leaves the files where another session works in the same workspace", async () => {
    await failingEdit();
    const other = { session: "s2", query: "mode=attended" };
    await call("npm run format", { ...other, effect: () => writeFileSync(join(root, "b.ts"), "B's work\n") });
    await laps();

    expect(parser()).toBe("worse\n");
    expect(readFileSync(join(root, "b.ts"), "utf8")).toBe("B's work\n");
  });

  it("starts over where another session only looks, or works elsewhere", async () => {
    await failingEdit();
    await call("cat parser.ts", { session: "s2" });
    await tell(
      "PreToolUse",
      { cwd: `${home}/elsewhere`, tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: "t" },
      { session: "s3" },
    );
    await laps();

    expect(parser()).toBe("before\n");
  });
});

describe("a checkpoint that takes longer than a moment", () => {
  it("does not delay the agent, and goes on by itself", async () => {
    door = openDoor(state, Date.now, 0);
    const kept = join(workspaceState(state, root), "workspace-1", "checkpoints");
    const isKept = (): boolean => existsSync(kept) && readdirSync(kept).some((name) => name.endsWith(".json"));
    await prompt();

    expect(isKept()).toBe(false);
    await expect.poll(isKept, { timeout: 10_000 }).toBe(true);
  });
});

describe("a run that cannot start over", () => {
  it.each(["git fails", "the folder is a home"])("is ended as without it where %s", async (reason) => {
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    if (reason === "git fails") process.env.PATH = bin;
    else process.env.HOME = root;
    await failingEdit();
    const said = await laps();

    expect(said.at(-1)).toContain("stopReason");
    expect(parser()).toBe("worse\n");
  });

  it.each<[string, CallOptions & { readonly command?: string }]>([
    ["tests pass again and again", { output: "12 passed\n".repeat(20), isError: false }],
    ["nothing fails", { command: "cat notes.md", output: "nothing found", isError: false }],
  ])("has nothing put back where %s", async (_, { command = "npm test", ...options }) => {
    await prompt();
    await write("parser.ts", "worse\n");
    const said = (await laps(() => call(command, options))).join("");

    expect(parser()).toBe("worse\n");
    expect(said).not.toContain("Start over");
  });

  it("has nothing put back where the command changes files each time, whatever it says", async () => {
    let changes = 0;
    await failingEdit();
    const said = await laps(() =>
      check({ effect: () => writeFileSync(join(root, "parser.ts"), `row ${++changes}\n`) }),
    );

    expect(parser()).toMatch(/^row \d+\n$/);
    expect(said.join("")).not.toContain("Start over");
  });

  it("has nothing put back where something was committed since", async () => {
    beginRepository();
    await failingEdit();
    git("add", "-A");
    git("commit", "-q", "-m", "two");
    const said = await laps();

    expect(parser()).toBe("worse\n");
    expect(said.join("")).not.toContain("Start over");
  });

  it("has no files kept where nobody asked for it", async () => {
    await tell("UserPromptSubmit", { prompt: "Fix the parser." }, { query: "mode=unattended" });

    expect(existsSync(join(state, "workspaces"))).toBe(false);
  });

  it("is ended as without it where the copies are gone", async () => {
    await failingEdit();
    await laps(async () => {
      const said = await check();
      if (said[0]?.includes("deny")) rmSync(join(state, "workspaces"), { recursive: true, force: true });
      return said;
    }).then((said) => expect(said.join("")).not.toMatch(/Start over|starts over|back to where/));

    expect(parser()).toBe("worse\n");
  });
});

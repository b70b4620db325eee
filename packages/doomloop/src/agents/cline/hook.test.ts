import { expect, it } from "vitest";
import { claudeCodeHook } from "../claude-code/hook.ts";
import type { Dialect } from "../hook/dialect.ts";
import type { HookState } from "../hook/hook-state.ts";
import { runHook } from "../hook/run-hook.ts";
import { clineHook, commandsAsScript, commandsOutcome } from "./hook.ts";

it.each([
  { title: "one command", commands: ["npm test"], command: "npm test" },
  { title: "several", commands: ["cd api", "npm test"], command: "cd api\nnpm test" },
  { title: "one that is no list", commands: "npm test", command: "npm test" },
  { title: "a program with its words", commands: [{ command: "npm", args: ["test"] }], command: "npm test" },
  { title: "a program without", commands: [{ command: "make" }], command: "make" },
])("reads a list of commands as a script: $title", ({ commands, command }) => {
  expect(commandsAsScript({ commands, timeout: 5 })).toEqual({ command, timeout: 5 });
});

it.each([
  [[]],
  [[1]],
  [["ls", null]],
  [[{ command: "ls", args: [1] }]],
  [Array.from({ length: 101 }, () => "ls")],
  [7],
])("leaves alone what is no such list: %j", (commands) => {
  const input = { commands };

  expect(commandsAsScript(input)).toBe(input);
});

it.each([
  { sent: { cwd: "/work" }, folder: "/work" },
  { sent: { workspaceRoots: ["/work"] }, folder: "/work" },
  { sent: { workspaceRoots: [] }, folder: undefined },
  { sent: { workspaceRoots: "/work" }, folder: undefined },
])("knows the folder that the agent works in: $sent", ({ sent, folder }) => {
  expect(clineHook.read({ hookName: "prompt_submit", taskId: "t", ...sent })?.folder).toBe(folder);
});

const failed = (result: string, code = 1): object => ({
  query: "npm test",
  result: `[Command exited with code ${code}]\n${result}`,
  error: `Command exited with code ${code}`,
  success: false,
});
const fine = { query: "ls", result: "a.ts\n", success: true };

it.each([
  { title: "fine", output: [fine], error: false },
  { title: "failed", output: [failed("1 failing")], error: true },
  { title: "a search that found nothing", output: [failed("")], error: undefined },
  { title: "silent, but not by finding nothing", output: [failed("", 2)], error: true },
  { title: "all failed", output: [failed("a"), failed("b", 2)], error: true },
  { title: "some failed", output: [fine, failed("b")], error: undefined },
  { title: "failed without a code", output: [{ result: "", error: "timed out", success: false }], error: true },
])("tells whether commands failed: $title", ({ output, error }) => {
  expect(commandsOutcome(output)).toMatchObject({ error });
});

it.each([undefined, "text", [], [{}], [{ result: 1, success: true }], [{ result: "a" }], { result: "a" }])(
  "leaves other outputs alone: %j",
  (output) => {
    expect(commandsOutcome(output)).toBe(undefined);
  },
);

interface Lap {
  readonly command: string;
  readonly printed: string;
  readonly hasFailed: boolean;
}

/** What is answered to each call and to each result. */
function answersOf(dialect: Dialect, laps: readonly Lap[], inputsOf: (lap: Lap, at: number) => object[]): string[] {
  let saved: HookState | undefined;
  return laps.flatMap((lap, at) =>
    inputsOf(lap, at).map((value, moment) => {
      const input = dialect.read({ ...value })!;
      const settings = { isUnattended: true, guardOptions: {}, now: at * 1000 + moment * 200, reportFault: () => {} };
      const { state, answer } = runHook(input, dialect, settings, saved);
      saved = state;
      return answer.type;
    }),
  );
}

const ofCline = ({ command, printed, hasFailed }: Lap, at: number): object[] => {
  const base = { taskId: "task", workspaceRoots: ["/work"] };
  const call = { id: `call-${at}`, name: "run_commands", input: { commands: [command] } };
  const output = [hasFailed ? failed(printed) : { query: command, result: printed, success: true }];
  return [
    { ...base, hookName: "tool_call", tool_call: call },
    { ...base, hookName: "tool_result", tool_result: { ...call, output } },
  ];
};
const ofClaude = ({ command, printed, hasFailed }: Lap, at: number): object[] => {
  const base = { session_id: "task", transcript_path: "a.jsonl", cwd: "/work", permission_mode: "bypassPermissions" };
  const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `call-${at}` };
  return [
    { ...base, ...call, hook_event_name: "PreToolUse" },
    hasFailed
      ? { ...base, ...call, hook_event_name: "PostToolUseFailure", error: `Exit code 1\n${printed}` }
      : { ...base, ...call, hook_event_name: "PostToolUse", tool_response: { stdout: printed, stderr: "" } },
  ];
};
const test = (command: string, at: number): Lap => ({
  command,
  printed: `  1 failing (${10 + at * 7}ms)\n\n  AssertionError: expected 1 to equal 2\n      at add.test.ts:7:11\n`,
  hasFailed: true,
});
const LOOPS: Readonly<Record<string, readonly Lap[]>> = {
  "a failing test, run in several ways": [
    "npm test",
    "npm test 2>&1 | tail -20",
    "cd /work && npm test",
    "npm test",
    "npm test 2>&1 | tail -40",
    "npm test",
  ].map(test),
  "one file, shown in several ways": ["cat a.ts", "head -50 a.ts", "cat a.ts", "cat a.ts | head -100", "cat a.ts"].map(
    (command) => ({ command, printed: "export const a = 1;\n", hasFailed: false }),
  ),
};

it.each(Object.keys(LOOPS))("finds as much in Cline's lists as in another agent's commands: %s", (name) => {
  const answers = answersOf(clineHook, LOOPS[name]!, ofCline);

  expect(answers).toContain("words");
  expect(answers.indexOf("words")).toBe(answersOf(claudeCodeHook, LOOPS[name]!, ofClaude).indexOf("words"));
});

it("lets a test be run again after each of several edits", () => {
  const laps = [1, 2, 3, 4, 5].flatMap((at) => [
    { command: `sed -i s/${at}/${at + 1}/ add.ts`, printed: "", hasFailed: false },
    { ...test("npm test", at), printed: `${at} failing\n\n  AssertionError: expected ${at} to equal 9\n` },
  ]);

  expect(new Set(answersOf(clineHook, laps, ofCline))).toEqual(new Set(["nothing"]));
});

/** An event as Cline 3.0 sends it. */
const sent = (more: object) =>
  clineHook.read({
    taskId: "task",
    workspaceRoots: ["/work"],
    workspaceInfo: { rootPath: "/work", hint: "work" },
    agent_id: "agent_1",
    parent_agent_id: null,
    ...more,
  });

it("knows the folder, so that the rules of a project apply", () => {
  const call = { hookName: "tool_call", tool_call: { id: "1", name: "run_commands", input: { commands: ["ls"] } } };

  expect(sent(call)).toMatchObject({ folder: "/work", agent: undefined });
  expect(sent({ ...call, parent_agent_id: "agent_0" })).toMatchObject({ folder: "/work", agent: "agent_1" });
});

it("takes the start of the main agent for a message of the user, and that of a subagent for none", () => {
  const start = { hookName: "agent_start", taskStart: { taskMetadata: {} } };

  expect(sent(start)).toMatchObject({ session: "task", moment: { type: "user" } });
  expect(sent({ ...start, parent_agent_id: "agent_0" })).toBeNull();
});

const REMINDER =
  "[SYSTEM] This run is not complete until you call one of these terminal completion tools: submit_and_exit. Continue working if requirements are not met.";
const prompt = (text: string): object => ({
  taskId: "task",
  workspaceRoots: ["/work", "/other"],
  hookName: "prompt_submit",
  userPromptSubmit: { prompt: text, attachments: [] },
});

it("tells the user's prompts from Cline's reminders, and where the agent works", () => {
  expect(clineHook.read({ ...prompt("Go on.") })).toMatchObject({
    folder: "/work",
    moment: { type: "user", text: "Go on." },
  });
  for (const text of [REMINDER, "[SYSTEM] You still have team obligations. Finish them."])
    expect(clineHook.read({ ...prompt(text) })?.moment).toEqual({ type: "turn", text: "" });
});

it("tells only the person about reminders without end, and counts again from the first with each run", () => {
  const answers = (hookNames: readonly string[]): string[] => {
    let saved: HookState | undefined;
    return hookNames.map((hookName, at) => {
      const input = clineHook.read(hookName === "reminder" ? { ...prompt(REMINDER) } : { taskId: "task", hookName })!;
      const settings = { isUnattended: false, guardOptions: {}, now: at * 1000, reportFault: () => {} };
      const { state, answer } = runHook(input, clineHook, settings, saved);
      saved = state;
      return answer.type;
    });
  };
  const reminders = (count: number): string[] => Array<string>(count).fill("reminder");
  const nothing = (count: number): string[] => Array<string>(count).fill("nothing");

  expect(answers(["agent_start", ...reminders(20)])).toEqual([...nothing(20), "alarm"]);
  expect(answers(Array.from({ length: 5 }, () => ["agent_start", ...reminders(15)]).flat())).toEqual(nothing(80));
});

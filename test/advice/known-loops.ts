import type { AgentEvent } from "doomloop";
import { step } from "../builders.ts";

/** Sessions written by hand in the manner of agents, by the cause that a person reads from them. */
export type KnownLoops = Readonly<Record<string, readonly (readonly AgentEvent[])[]>>;

type Step = readonly AgentEvent[];
export const failing = (tool: string, args: object, output: string): Step => step(tool, args, output, { error: true });
export const each = <Item>(items: readonly Item[], make: (item: Item, at: number) => Step): Step => items.flatMap(make);
export const turns = (count: number, make: (at: number) => Step): Step =>
  each(Array(count).fill(0), (_, at) => make(at));
export const COMPACTED: AgentEvent = { type: "compaction" };

// Claude Code.
export const bash = (command: string, output: string): Step => step("Bash", { command, description: "Run it" }, output);
export const bashFails = (command: string, output: string): Step =>
  failing("Bash", { command, description: "Run it" }, `Exit code 1\n${output}`);
export const readFile = (name: string, output: string): Step => step("Read", { file_path: `/repo/${name}` }, output);
export const editFile = (name: string, at: number): Step =>
  step(
    "Edit",
    { file_path: `/repo/${name}`, old_string: `before ${at}`, new_string: `after ${at}` },
    `The file /repo/${name} has been updated. Here's the result of running \`cat -n\`:\n  ${at}\tafter ${at}`,
  );
// Codex CLI.
export const exec = (cmd: string, output: string): Step =>
  step(
    "exec_command",
    { cmd },
    `Chunk ID: 4f1a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${output}`,
  );
export const execFails = (cmd: string, output: string, code = 1): Step =>
  step(
    "exec_command",
    { cmd },
    `Chunk ID: 4f1a\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${output}`,
  );
export const patch = (at: number): Step =>
  step(
    "apply_patch",
    {
      input: `*** Begin Patch\n*** Update File: src/queue.rs\n@@\n-let a = ${at};\n+let a = ${at + 1};\n*** End Patch`,
    },
    "Success. Updated the following files:\nM src/queue.rs",
  );
// Gemini CLI.
export const shell = (command: string, output: string, code: number): Step =>
  step(
    "run_shell_command",
    { command },
    `Command: ${command}\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)`,
  );
// opencode and Copilot CLI.
export const tool = (name: string, args: object, output: string): Step => step(name, args, output);

export const MODULE = `${Array.from({ length: 24 }, (_, at) => `export function part${at}(order) { return order.lines[${at}]; }`).join("\n")}\n`;
export const GUIDE = "Release notes\nEach release has a tag, a date and a list of changes. Tags begin with v.\n".repeat(
  7,
);
export const BROWSER_PAGE = `RootWebArea 'My orders'\n${Array.from({ length: 30 }, (_, at) => `  [${at}] link 'Order ${1000 + at}'`).join("\n")}`;
export const JEST =
  "FAIL src/invoice.test.js\n  ● rounds to cents\n    expect(received).toBe(expected)\nTests: 1 failed, 12 passed, 13 total";
export const GO =
  "--- FAIL: TestMerge (0.00s)\n    merge_test.go:41: got 3 entries, want 4\nFAIL\nFAIL\texample.com/app/merge\t0.004s\nFAIL";
export const RUST =
  "error[E0502]: cannot borrow `queue` as mutable because it is also borrowed as immutable\n --> src/queue.rs:31:9\nerror: could not compile `queue`";

export const FILE = `${Array.from({ length: 30 }, (_, at) => `export const value${at} = ${at * 7};`).join("\n")}\n`;
export const ORDERS =
  "Orders\nEach order has an id, a state and a list of lines. The state is open, paid or sent.\n".repeat(6);
export const VITEST =
  "FAIL src/cart.test.ts > total > adds tax\nAssertionError: expected 41 to be 42\n 1 failed, 19 passed";
export const PYTEST =
  "E   assert 3 == 4\nFAILED tests/test_parser.py::test_nested - assert 3 == 4\n1 failed, 41 passed in 0.31s";
export const editCart = (at: number) =>
  step(
    "Edit",
    { file_path: "/x/cart.ts", old_string: `a${at}`, new_string: `b${at}` },
    `The file has been updated: ${at} lines now.`,
  );
export const LS = step("Bash", { command: "ls src" }, "cart.ts\nindex.ts\ntax.ts\nuser.ts\norders.ts\nREADME.md\n");

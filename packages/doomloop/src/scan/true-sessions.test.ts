import { afterAll, expect, it } from "vitest";
import { createCliSandbox } from "../../../../test/cli-sandbox.ts";
import { sessionId } from "./dedupe-runs.ts";
import type { LoopSummary } from "./report/report.ts";

const sandbox = createCliSandbox();
afterAll(() => sandbox.remove());

interface Call {
  readonly tool: string;
  readonly args: object;
  readonly output: string;
  readonly isError?: boolean;
  /** Seconds before the call. */
  readonly gap?: number;
  /** The user says something before the call. */
  readonly isAsked?: boolean;
}

const START = Date.UTC(2026, 10, 15, 9);

/** The lines of a transcript, and what each answer costs by list prices, in dollars. */
interface Format {
  readonly agent: string;
  readonly cost: number;
  lines(name: string, calls: readonly Call[]): readonly object[];
}

/** Calls with their times. */
function timed(calls: readonly Call[]): readonly (Call & { readonly at: string })[] {
  let seconds = 0;
  return calls.map((call) => {
    seconds += call.gap ?? 4;
    return { ...call, at: new Date(START + seconds * 1000).toISOString() };
  });
}

const claudeCode: Format = {
  agent: "claude-code",
  // claude-sonnet-4-5: 10 new, 1,000 written to the cache, 20,000 read from it, 100 put out.
  cost: (10 * 3 + 1_000 * 3.75 + 20_000 * 0.3 + 100 * 15) / 1e6,
  lines: (name, calls) =>
    timed(calls).flatMap(({ tool, args, output, isError = false, isAsked, at: timestamp }, at) => {
      const base = { isSidechain: false, cwd: "/home/ada/shop", sessionId: name, timestamp };
      const usage = { input_tokens: 10, output_tokens: 100 };
      const cache = { cache_read_input_tokens: 20_000, cache_creation_input_tokens: 1_000 };
      const content = [{ type: "tool_use", id: `t-${name}-${at}`, name: tool, input: args }];
      const result = [{ type: "tool_result", tool_use_id: `t-${name}-${at}`, content: output, is_error: isError }];
      const message = { id: `m-${name}-${at}`, role: "assistant", model: "claude-sonnet-4-5", content };
      const asked = { ...base, type: "user", uuid: `q-${name}-${at}`, message: { role: "user", content: "once more" } };
      return [
        ...(isAsked === true ? [asked] : []),
        { ...base, type: "assistant", uuid: `a-${name}-${at}`, message: { ...message, usage: { ...usage, ...cache } } },
        { ...base, type: "user", uuid: `u-${name}-${at}`, message: { role: "user", content: result } },
      ];
    }),
};

const codex: Format = {
  agent: "codex",
  // gpt-5: 10,000 put in, 9,000 of them from the cache, 100 put out.
  cost: (1_000 * 1.25 + 9_000 * 0.125 + 100 * 10) / 1e6,
  lines(name, calls) {
    const started = { timestamp: new Date(START).toISOString() };
    const meta = { id: name, timestamp: started.timestamp, cwd: "/home/ada/api", cli_version: "0.46.0" };
    const usage = (times: number) => ({
      ...{ input_tokens: times * 10_000, cached_input_tokens: times * 9_000, output_tokens: times * 100 },
      ...{ reasoning_output_tokens: 0, total_tokens: times * 10_100 },
    });
    return [
      { ...started, type: "session_meta", payload: meta },
      { ...started, type: "turn_context", payload: { cwd: "/home/ada/api", model: "gpt-5" } },
      ...timed(calls).flatMap(({ tool, args, output, at: timestamp }, at) => {
        const info = { total_token_usage: usage(at + 1), last_token_usage: usage(1) };
        const made = { type: "function_call", name: tool, arguments: JSON.stringify(args), call_id: `${name}-${at}` };
        return [
          { timestamp, type: "response_item", payload: made },
          { timestamp, type: "event_msg", payload: { type: "token_count", info } },
          {
            timestamp,
            type: "response_item",
            payload: { type: "function_call_output", call_id: `${name}-${at}`, output },
          },
        ];
      }),
    ];
  },
};

const times = (count: number, ...calls: Call[]): Call[] => Array.from({ length: count }, () => calls).flat();
const numbered = (count: number, make: (at: number) => readonly Call[]): Call[] =>
  Array.from({ length: count }, (_, at) => make(at)).flat();
const bash = (command: string, output: string, isError = false): Call => ({
  ...{ tool: "Bash", args: { command }, output, isError },
});
const read = (name: string, output = `text of ${name}`): Call => ({
  ...{ tool: "Read", args: { file_path: `/home/ada/shop/${name}` }, output },
});
const edit = (at: number): Call => ({
  ...{ tool: "Edit", args: { file_path: "/home/ada/shop/cart.ts", old_string: `a${at}`, new_string: `b${at}` } },
  output: `The file cart.ts has been updated (${at})`,
});
const shell = (cmd: string, output: string, code = 0): Call => ({
  ...{ tool: "exec_command", args: { cmd } },
  output: `Chunk ID: 1a2b\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${output}`,
});
const patch = (at: number): Call => ({
  ...{ tool: "apply_patch", output: "Success. Updated the following files:\nM queue.rs" },
  args: {
    input: `*** Begin Patch\n*** Update File: queue.rs\n@@\n-let a = ${at};\n+let a = ${at + 1};\n*** End Patch`,
  },
});
const FILE = "export const price = 1;\n".repeat(20);
const TEST = bash("npm test", "FAIL cart.test.ts\nexpected 42, received 41\nTests: 1 failed, 3 passed", true);
const ZONE = (zone: string) => bash("npm test", `1 failed: expected ${zone}`, true);
const CARGO = shell("cargo test", "test queue::drains ... FAILED\ntest result: FAILED. 7 passed; 1 failed", 101);
const later = (...names: string[]): Call[] => names.map((name) => read(name));

type Told = Pick<LoopSummary, "what" | "count" | "onset" | "end" | "cause"> & {
  /** Calls of the loop after the first nudge. */
  readonly late: number;
};
const loop = (
  what: string,
  [onset, end]: readonly [number, number],
  cause: string,
  more: Partial<Told> = {},
): Told => ({ ...{ what, onset, end, cause, count: end - onset + 1, late: end - onset - 2 }, ...more });

interface Known {
  readonly format: Format;
  readonly calls: readonly Call[];
  readonly loops?: readonly Told[];
  readonly possible?: number;
}

/** Sessions, and what there is to tell of them. */
const SESSIONS: Readonly<Record<string, Known>> = {
  "the same failing test": {
    ...{ format: claudeCode, calls: [...later("a.ts", "b.ts", "c.ts"), ...times(8, TEST), edit(1)] },
    loops: [loop("npm test", [4, 11], "test-without-edit")],
  },
  "the same file": {
    ...{ format: claudeCode, calls: times(6, read("auth.ts", FILE)) },
    loops: [loop("Read auth.ts", [1, 6], "result-unread")],
  },
  "a build and a look in turn": {
    ...{
      format: claudeCode,
      calls: times(5, bash("cargo build", "error[E0308]: mismatched types", true), read("a.rs", FILE)),
    },
    loops: [loop("cargo build > Read a.rs", [1, 10], "test-without-edit", { count: 5, late: 5 })],
  },
  "fixes without effect": {
    ...{ format: claudeCode, calls: numbered(8, (at) => [edit(at), TEST]) },
    loops: [loop("npm test", [2, 16], "fix-without-effect", { count: 8, late: 3 })],
  },
  "a fix that is made and undone": {
    ...{ format: claudeCode, calls: [read("a.ts"), ...times(4, edit(1), ZONE("UTC"), edit(2), ZONE("CET"))] },
    loops: [loop("npm test", [5, 17], "fix-without-effect", { count: 7, late: 3 })],
  },
  "two files in turn, and the goal": {
    format: claudeCode,
    calls: [...times(4, read("a.ts"), read("b.ts")), edit(1), bash("npm test", "30 passed")],
    possible: 1,
  },
  "two files in turn, and the user's way to the goal": {
    format: claudeCode,
    calls: [...times(4, read("a.ts"), read("b.ts")), { ...edit(1), isAsked: true }, bash("npm test", "30 passed")],
    loops: [loop("Read a.ts > Read b.ts", [1, 8], "result-unread", { count: 4, late: 3 })],
  },
  "a count of one digit": {
    ...{ format: claudeCode, calls: times(12, { tool: "Grep", args: { pattern: "tax", count: true }, output: "8" }) },
    loops: [loop("Grep", [1, 12], "result-unread", { count: 12 })],
  },
  "three looks, and on": {
    ...{ format: claudeCode, calls: [...times(3, read("auth.ts", FILE)), ...later("a.ts", "b.ts", "c.ts"), edit(1)] },
    possible: 1,
  },
  "a job that takes its time": {
    ...{ format: claudeCode },
    calls: [
      ...times(10, { ...bash("gh run view 7", '{"status":"in_progress"}'), gap: 60 }),
      { ...bash("gh run view 7", '{"status":"completed"}'), gap: 60 },
    ],
  },
  "fewer failures each time": {
    ...{ format: claudeCode },
    calls: numbered(8, (at) => [edit(at), bash("npm test", `FAIL ${8 - at} failing of 20: t${at}`, true)]),
  },
  "a user who asks again": { format: claudeCode, calls: times(6, { ...TEST, isAsked: true }) },
  "the same failing test in Codex": {
    ...{ format: codex, calls: [shell("cat a.txt", "hello"), ...times(7, CARGO)] },
    loops: [loop("cargo test", [2, 8], "test-without-edit")],
  },
  "two searches in turn": {
    ...{ format: codex, calls: times(6, shell("rg foo src", "", 1), shell("ls lib", "ls: cannot access 'lib'", 2)) },
    loops: [loop("rg > ls", [1, 12], "unknown", { count: 6, late: 7 })],
  },
  "page after page": {
    ...{ format: codex },
    calls: numbered(12, (at) => [shell(`sed -n '${at * 200},${at * 200 + 199}p' big.ts`, `lines of part ${at}`)]),
  },
  "a wait that pays off": {
    ...{ format: codex },
    calls: [
      shell("ls", "a\nb"),
      ...times(5, { tool: "read_output", args: { session: 7 }, output: "42 lines so far, no summary" }),
      ...[{ tool: "read_output", args: { session: 7 }, output: "done: 41 passed in 9 s" }, patch(1)],
    ],
    possible: 1,
  },
  "a malformed call": {
    ...{
      format: codex,
      calls: times(6, shell("jq '.a[' x.json", "jq: error: syntax error, unexpected end of file", 3)),
    },
    loops: [loop("jq x.json", [1, 6], "faulty-call")],
  },
  "a check that passes at last": {
    ...{ format: codex },
    calls: [...numbered(6, (at) => [patch(at), CARGO]), patch(9), shell("cargo test", "test result: ok. 8 passed")],
    possible: 1,
  },
  "a crash that nobody explains": {
    ...{
      format: codex,
      calls: times(6, shell("python3 train.py", 'File "train.py", line 8\nValueError: not finite', 1)),
    },
    loops: [loop("python3 train.py", [1, 6], "unknown")],
  },
};

it("tells the loops, the costs and the causes of known sessions as they are", async () => {
  const names = Object.keys(SESSIONS);
  for (const [at, { format, calls }] of Object.values(SESSIONS).entries())
    sandbox.write(
      `home/${at}.jsonl`,
      format
        .lines(names[at]!, calls)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(""),
    );
  const { loops, possibleLoops, sessions, totals } = await sandbox.reportOf(["home"]);
  const told = Object.entries(SESSIONS).map(([run, { format }]) => {
    const id = sessionId({ agent: format.agent, run });
    const own = loops
      .filter(({ session }) => session === id)
      .map((each) => ({
        ...{ what: each.what, count: each.count, onset: each.onset, end: each.end, cause: each.cause },
        late: each.afterOnset.calls,
        cost: each.afterOnset.fromNudge!.costUsd!.high,
      }));
    const possible = possibleLoops.filter(({ session }) => session === id).length;
    return { run, own, possible, cost: sessions.find((session) => session.id === id)?.costUsd?.high };
  });

  expect(names).toHaveLength(19);
  expect(told).toEqual(
    Object.entries(SESSIONS).map(([run, { format, calls, loops: known = [], possible = 0 }]) => ({
      run,
      own: known.map((each) => ({ ...each, cost: expect.closeTo(each.late * format.cost, 9) })),
      possible,
      cost: expect.closeTo(calls.length * format.cost, 9),
    })),
  );
  expect(totals).toMatchObject({ sessions: 19, loops: loops.length, possibleLoops: 4 });
  expect(totals.loopsByKind["test-fix"]).toBe(2);
});

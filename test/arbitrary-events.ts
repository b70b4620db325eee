import type { AgentEvent } from "doomloop";
import fc from "fast-check";

const LONG = `${"The quick brown fox jumps over the lazy dog, line after line of it. ".repeat(4)}End.`;
const TOOLS = ["read_file", "bash", "edit", "check_job", "browser_click", "wait", "constructor", "no identifier\n"];
const ARGUMENTS: readonly unknown[] = [
  {},
  { path: "a.ts" },
  { path: "a.ts", offset: 3 },
  { command: "npm test" },
  { command: "cat a.ts" },
  { path: "a.ts", old_string: "a", new_string: "b" },
  { path: "a.ts", old_string: "b", new_string: "a" },
  { command: "rm a.ts" },
  '{"path":"a.ts"}',
  undefined,
];
const OUTPUTS: readonly unknown[] = [
  "",
  "ok",
  LONG,
  `${LONG} at 12:04:11`,
  "Error: no such file 'a.ts'",
  "2 failed, 3 passed",
  "status: running",
  { rows: [1, 2] },
  undefined,
];
const IDS = [undefined, undefined, "1", "2"];
const WORDS = ["I will do it now.", "It is still running, so I check again.", "Done.", LONG, "na ".repeat(200)];

/** Few tools, few arguments, few outcomes: streams in which much happens twice. */
const events: fc.Arbitrary<AgentEvent> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("call" as const),
      id: fc.constantFrom(...IDS),
      tool: fc.constantFrom(...TOOLS),
      args: fc.constantFrom(...ARGUMENTS),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant("result" as const),
      id: fc.constantFrom(...IDS),
      output: fc.constantFrom(...OUTPUTS),
      error: fc.constantFrom(undefined, undefined, true, false),
      synthetic: fc.constantFrom(undefined, undefined, undefined, true),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("text" as const),
      text: fc.constantFrom(...WORDS),
      partial: fc.constantFrom(undefined, true),
    }),
  },
  fc.record({ type: fc.constant("reasoning" as const), text: fc.constantFrom(...WORDS) }),
  fc.constantFrom<AgentEvent>(
    { type: "round" },
    { type: "user" },
    { type: "user", text: "Look at it 5 times, until it is done." },
    { type: "user", text: "[doomloop] go on" },
    { type: "compaction" },
    { type: "state", key: "diff", value: 1 },
    { type: "state", key: "diff", value: 2 },
  ),
);

const steps = fc.record({
  tool: fc.constantFrom(...TOOLS),
  args: fc.constantFrom(...ARGUMENTS),
  output: fc.constantFrom(...OUTPUTS),
  error: fc.constantFrom(undefined, true, false),
});

/** A round of one to three calls, whose results come in order or in reverse. */
const rounds: fc.Arbitrary<AgentEvent[]> = fc
  .tuple(fc.array(steps, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean())
  .map(([batch, isReversed, isAnnounced]) => {
    const calls = batch.map(({ tool, args }, at): AgentEvent => ({ type: "call", id: `${at}`, tool, args }));
    const results = batch.map(({ output, error }, at): AgentEvent => ({ type: "result", id: `${at}`, output, error }));
    return [
      ...(isAnnounced ? [{ type: "round" as const }] : []),
      ...calls,
      ...(isReversed ? results.reverse() : results),
    ];
  });

/** The times that lie between one event and the next, over and over; none: the host has no clock. */
const paces: fc.Arbitrary<readonly number[]> = fc.oneof(
  fc.constant([]),
  fc.array(fc.constantFrom(0, 300, 4_000, 30_000, 400_000), { minLength: 1, maxLength: 5 }),
);

function withClock(stream: readonly AgentEvent[], pace: readonly number[]): AgentEvent[] {
  let at = 1_770_000_000_000;
  return stream.map((event, index) => {
    at += pace[index % pace.length] ?? 0;
    return pace.length > 0 && (event.type === "call" || event.type === "result") ? { ...event, at } : event;
  });
}

/** Whole streams of events, most of them with a stretch that comes several times, half of them with a clock. */
export const eventStreams: fc.Arbitrary<AgentEvent[]> = fc
  .tuple(
    fc.array(events, { maxLength: 6 }),
    fc.oneof(fc.array(events, { minLength: 1, maxLength: 4 }), rounds, rounds),
    fc.nat(10),
    fc.array(events, { maxLength: 6 }),
    paces,
  )
  .map(([before, stretch, count, after, pace]) =>
    withClock([...before, ...Array.from({ length: count }, () => stretch).flat(), ...after], pace),
  );

const WORK: readonly (readonly [string, unknown, unknown, boolean?])[] = [
  ["edit", { path: "a.ts", old_string: "a", new_string: "b" }, "edited"],
  ["edit", { path: "a.ts", old_string: "b", new_string: "a" }, "edited"],
  ["edit", { path: "a.ts", old_string: "c", new_string: "d" }, "edited"],
  ["write_file", { path: "b.ts", content: "x" }, "written"],
  ["read_file", { path: "a.ts" }, "export const a = 1;"],
  ["read_file", { path: "b.ts" }, "export const b = 2;"],
  ["bash", { command: "cat a.ts" }, "export const a = 1;"],
  ["bash", { command: "make" }, "built"],
  ["bash", { command: "make" }, "no rule to make target", true],
  ["bash", { command: "npm test" }, "1 failed, 3 passed", true],
  ["search", { query: "a" }, LONG],
  ["search", { query: "a b" }, LONG],
  ["check_job", { id: 3 }, "status: running"],
];

/** The work of a coding agent: edits and their reverses, looks, commands, tests, in any order. */
export const workStreams: fc.Arbitrary<AgentEvent[]> = fc
  .array(
    fc.oneof(
      {
        weight: 12,
        arbitrary: fc.constantFrom(...WORK).map(([tool, args, output, error]): AgentEvent[] => [
          { type: "call", tool, args },
          { type: "result", output, error },
        ]),
      },
      fc.constantFrom<AgentEvent[]>(
        [{ type: "user" }],
        [{ type: "state", key: "diff", value: 1 }],
        [{ type: "state", key: "diff", value: 2 }],
        [{ type: "compaction" }],
      ),
    ),
    { maxLength: 24 },
  )
  .map((steps) => steps.flat());

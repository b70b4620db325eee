import { createGuard, DoomloopError, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import type { DetectorKind } from "../../packages/doomloop/src/core/finding.ts";
import type { DetectorOptions } from "../../packages/doomloop/src/core/options.ts";
import { call, decisionsOf, failure, step, text, times } from "../builders.ts";

const kinds: DetectorKind[] = [
  "repeated-call",
  "call-cycle",
  "similar-call",
  "same-outcome",
  "failure-streak",
  "test-fix",
  "stalled",
  "repeated-text",
  "text-only",
];

/** One detector alone. */
function only(kind: DetectorKind, options: object): GuardOptions {
  const others = kinds.filter((other) => other !== kind).map((other) => [other, false]);
  return { ladder: ["nudge"], detectors: { ...Object.fromEntries(others), [kind]: options } as DetectorOptions };
}

const failed = (tool: string, args: unknown, output: string): AgentEvent[] => [call(tool, args), failure(output)];
/** Errors that share nothing but that they are errors. */
const causes = [
  "no such file",
  "permission denied",
  "out of memory",
  "connection refused",
  "bad syntax",
  "timed out",
  "disk full",
  "unknown host",
  "name too long",
  "broken pipe",
  "not a directory",
  "busy",
  "stale handle",
  "read only",
];

describe.each([2, 3, 4, 7])("at a threshold of %i", (threshold) => {
  const cases: [DetectorKind, string, (at: number) => AgentEvent[]][] = [
    ["repeated-call", "equal calls", () => step("read_file", { path: "a" }, "a")],
    ["repeated-call", "acts that say no more than that they were done", () => step("frobnicate", { on: true }, "ok")],
    [
      "repeated-call",
      "a clock in the outcome",
      (at) => step("read_file", { path: "a" }, `the file is here, at 12:00:${10 + at}`),
    ],
    ["repeated-call", "empty failures", () => failed("read_file", { path: "a" }, "")],
    ["text-only", "answers in the same words", () => [text("I am ready.")]],
    ["text-only", "answers in other words", (at) => [text(`Then I will look at ${causes[at]} next.`)]],
    [
      "test-fix",
      "one failure in spite of edits",
      (at) => [
        ...failed("bash", { command: "npm test" }, "1 failed: expected 2, got 3"),
        ...step("edit_file", { path: "a.ts", old_string: `${at}`, new_string: `${at + 1}` }, "done"),
      ],
    ],
    [
      "failure-streak",
      "failures of one tool",
      (at) => failed("run_it", { way: `build it${" again".repeat(at)}` }, causes[at]!),
    ],
  ];

  it.each(cases)("%s is found then, and not one before: %s", (kind, _, occurrence) => {
    const events = (count: number): AgentEvent[] => Array.from({ length: count }, (_, at) => occurrence(at)).flat();
    const options = only(kind, { threshold });

    expect(decisionsOf(events(threshold - 1), options)).toEqual([]);
    expect(decisionsOf(events(threshold), options)).toMatchObject([{ action: "nudge", finding: { kind } }]);
  });
});

describe.each([3, 4, 7])("at a threshold of %i", (threshold) => {
  const shapes = [
    "how does the retry policy work",
    "retry policy",
    "policy of retry, explained",
    "what is the retry policy for queues",
    "the policy for a retry",
    "explain retry and its policy",
    "is there any retry policy",
  ];
  const searches = (count: number, answer: string): AgentEvent[] =>
    shapes.slice(0, count).flatMap((query) => step("search_docs", { query }, answer));

  it.each<[DetectorKind, string]>([
    ["stalled", "[]"],
    ["same-outcome", "See the page on queues. It says nothing of that."],
  ])("%s is found then, and not one before", (kind, answer) => {
    const options = only(kind, { threshold });

    expect(decisionsOf(searches(threshold - 1, answer), options)).toEqual([]);
    expect(decisionsOf(searches(threshold, answer), options)).toMatchObject([{ action: "nudge", finding: { kind } }]);
  });
});

describe("a kind that is switched off", () => {
  it.each(kinds)("is not reported: %s", (kind) => {
    const everything: AgentEvent[] = [
      ...times(6, step("read_file", { path: "a" }, "a")),
      ...times(4, [...step("read_file", { path: "b" }, "b"), ...step("read_file", { path: "c" }, "c")]),
      ...causes.flatMap((cause) => failed("run_it", { way: cause }, cause)),
      ...times(6, failed("bash", { command: "npm test" }, "1 failed: expected 2, got 3")),
      ...times(6, [text("I am ready.")]),
      { type: "reasoning", text: "I will now look at the file. ".repeat(30) },
    ];
    const found = decisionsOf(everything, { ladder: ["nudge"], detectors: { [kind]: false } });

    expect(found.map(({ finding }) => finding!.kind)).not.toContain(kind);
    expect(found.length).toBeGreaterThan(0);
  });
});

describe("call-cycle", () => {
  const lap = (period: number): AgentEvent[][] =>
    Array.from({ length: period }, (_, at) => step("read_file", { path: `${at}` }, `file ${at}`));

  it.each([2, 3, 5, 8, 12])(
    "of period %i is found in its third lap at the latest, and never in its first",
    (period) => {
      const [first] = decisionsOf(times(4, lap(period).flat()), { ladder: ["nudge"] });

      expect(first!.at).toBeGreaterThanOrEqual(2 * period);
      expect(first!.at).toBeLessThan(2 * 3 * period);
      expect(first!.finding).toMatchObject({ kind: "call-cycle", period });
    },
  );

  it.each([13, 21, 40])("of period %i is found, too, though nobody sees that it is one", (period) => {
    expect(decisionsOf(times(4, lap(period).flat()), { ladder: ["nudge"] })).not.toEqual([]);
  });
});

describe("options that can never come true", () => {
  const bad: [string, GuardOptions][] = [
    ["a threshold of one", { detectors: { "repeated-call": { threshold: 1 } } }],
    ["a threshold of zero", { detectors: { "similar-call": { threshold: 0 } } }],
    ["a threshold of a half", { detectors: { "same-outcome": { threshold: 2.5 } } }],
    ["a threshold that is no number", { detectors: { "test-fix": { threshold: Number.NaN } } }],
    ["a threshold that is text", { detectors: { stalled: { threshold: "6" as never } } }],
    ["a threshold without end", { detectors: { "text-only": { threshold: Number.POSITIVE_INFINITY } } }],
    ["text repeated once", { detectors: { "repeated-text": { repetitions: 1 } } }],
    ["an option that no kind has", { detectors: { "repeated-call": { window: 4 } as never } }],
    ["a kind that there is not", { detectors: { "call-loop": {} } as never }],
    ["words at the first call", { levels: { told: 1 } }],
    ["levels upside down", { levels: { told: 3, refused: 20, ended: 10 } }],
    ["a refusal with the first words", { levels: { told: 3, refused: 3 } }],
    ["a level of a half", { levels: { refused: 9.5 } }],
    ["a list without rungs", { ladder: [] }],
    ["a list that goes down", { ladder: ["stop", "nudge"] }],
    ["a rung that there is not", { ladder: ["shout" as never] }],
    ["a preset that there is not", { preset: "constructor" as never }],
    ["a negative patience", { patienceMs: -1 }],
    ["a rule that is none", { rules: { ls: null as never } }],
    ["a rule's threshold of one", { rules: { ls: { threshold: 1 } } }],
    ["a rule's negative patience", { rules: { ls: { poll: { patienceMs: -1 } } } }],
  ];

  it.each(bad)("%s is refused at construction", (_, options) => {
    expect(() => createGuard(options)).toThrow(DoomloopError);
  });

  it("is refused with the place, what is required and what was given", () => {
    expect(() => createGuard({ detectors: { "repeated-call": { threshold: 0 } } })).toThrow(
      "repeated-call: threshold: an integer of at least 2 is required, got 0",
    );
  });
});

import { createGuard, type DetectorKind, type DetectorOptions, DoomloopError, type GuardOptions } from "doomloop";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
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

const long = (words: string): string => `${words} `.repeat(Math.ceil(240 / words.length));
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
  const cases: [string, GuardOptions, (at: number) => AgentEvent[]][] = [
    ["repeated-call", only("repeated-call", { threshold }), () => step("read_file", { path: "a" }, "a")],
    [
      "repeated-call of the same in substance",
      only("repeated-call", { threshold, fuzzyThreshold: threshold, looseThreshold: threshold }),
      (at) => step("bash", { command: at % 2 === 0 ? "cat a.ts" : "head -50 a.ts" }, "export const a = 1;"),
    ],
    [
      "repeated-call with a clock in its outcome",
      only("repeated-call", { threshold: 99, looseThreshold: threshold }),
      (at) => step("read_file", { path: "a" }, `a, at 12:00:${10 + at}`),
    ],
    [
      "repeated-call of an empty failure",
      only("repeated-call", { threshold }),
      () => failed("read_file", { path: "a" }, ""),
    ],
    [
      "repeated-call without outcomes",
      { ...only("repeated-call", { blindThreshold: threshold }), progress: { outcomes: "ignore" } },
      () => step("read_file", { path: "a" }, "a"),
    ],
    [
      "similar-call",
      only("similar-call", { threshold }),
      (at) =>
        step("search", { query: `the long question about retry policies, ${at}` }, long("Nothing was found for this.")),
    ],
    [
      "similar-call of failures",
      only("similar-call", { failingThreshold: threshold, threshold: 12 }),
      (at) => failed("search", { query: `${"please ".repeat(at)}the long question about retry policies` }, causes[at]!),
    ],
    [
      "same-outcome of failures",
      only("same-outcome", { threshold }),
      (at) => failed(`tool_${at % 3}`, { way: `${"please ".repeat(at)}the same way` }, "Error: the server is gone"),
    ],
    [
      "same-outcome of answers",
      only("same-outcome", { answerThreshold: threshold }),
      (at) => step("read_page", { about: `${causes[at]}` }, long("This page needs a login first.")),
    ],
    [
      "same-outcome of pages",
      only("same-outcome", { threshold, answerThreshold: 12 }),
      (at) => step("read_page", { page: at }, "This page needs a login first, and so do all that follow."),
    ],
    [
      "failure-streak",
      only("failure-streak", { threshold }),
      (at) => failed("run_it", { way: causes[at] }, causes[at]!),
    ],
    [
      "test-fix",
      only("test-fix", { threshold }),
      (at) => [
        ...failed("bash", { command: "npm test" }, "1 failed: expected 2, got 3"),
        ...step("edit_file", { path: "a.ts", old_string: `${at}`, new_string: `${at + 1}` }, "done"),
      ],
    ],
    [
      "text-only",
      only("text-only", { threshold, repeatThreshold: 99 }),
      (at) => [text(`Then I will look at ${causes[at]} next.`)],
    ],
    [
      "text-only in the same words",
      only("text-only", { threshold: 99, repeatThreshold: threshold }),
      () => [text("I am ready.")],
    ],
  ];

  it.each(cases)("%s is found then, and not one before", (_, options, occurrence) => {
    const events = (count: number): AgentEvent[] => Array.from({ length: count }, (_, at) => occurrence(at)).flat();

    expect(decisionsOf(events(threshold - 1), options)).toEqual([]);
    expect(decisionsOf(events(threshold), options)).toMatchObject([{ action: "nudge" }]);
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

  it("stalled is found then, and not one before", () => {
    const options = only("stalled", { threshold });

    for (const answer of ["[]", "See the page on queues. It says nothing of that."]) {
      expect(decisionsOf(searches(threshold - 1, answer), options)).toEqual([]);
      expect(decisionsOf(searches(threshold, answer), options)).toMatchObject([{ action: "nudge" }]);
    }
  });
});

describe("call-cycle", () => {
  const lap = (period: number): AgentEvent[][] =>
    Array.from({ length: period }, (_, at) => step("read_file", { path: `${at}` }, `file ${at}`));

  it.each([2, 3, 5, 8, 13, 21, 23, 24])("of period %i is found at its laps, and not one step before", (period) => {
    const events = times(4, lap(period).flat());
    for (const [laps, beyond] of [
      [2, 0],
      [2, 1],
      [3, 0],
      [3, 1],
    ] as const) {
      const options = only("call-cycle", { laps, beyond });
      const needed = 2 * (laps * period + beyond);

      expect(decisionsOf(events.slice(0, needed - 1), options)).toEqual([]);
      expect(decisionsOf(events.slice(0, needed), options)).toMatchObject([{ finding: { period } }]);
    }
  });

  it("of a period beyond the longest is none", () => {
    expect(decisionsOf(times(4, lap(25).flat()), only("call-cycle", {}))).toEqual([]);
    expect(decisionsOf(times(4, lap(6).flat()), only("call-cycle", { maxPeriod: 5 }))).toEqual([]);
  });

  it("of a period below the shortest is none", () => {
    expect(decisionsOf(times(3, lap(2).flat()), only("call-cycle", { minPeriod: 3, maxPeriod: 3 }))).toEqual([]);
  });
});

describe("options that can never come true", () => {
  const bad: [string, GuardOptions][] = [
    ["a window shorter than its threshold", { detectors: { "repeated-call": { threshold: 5, window: 4 } } }],
    ["a window shorter than the loose threshold", { detectors: { "repeated-call": { threshold: 2, window: 3 } } }],
    ["a window whose threshold is never remembered", { detectors: { "repeated-call": { threshold: 9, window: 100 } } }],
    ["a threshold of one", { detectors: { "repeated-call": { threshold: 1 } } }],
    ["a threshold of zero", { detectors: { "similar-call": { threshold: 0 } } }],
    ["a threshold of a half", { detectors: { "same-outcome": { threshold: 2.5 } } }],
    ["a threshold that is no number", { detectors: { "test-fix": { threshold: Number.NaN } } }],
    ["a threshold that is text", { detectors: { stalled: { threshold: "6" as never } } }],
    ["attempts too few to be told apart", { detectors: { stalled: { threshold: 2 } } }],
    ["attempts beyond what is remembered", { detectors: { stalled: { threshold: 21 } } }],
    ["a threshold without end", { detectors: { "text-only": { threshold: Number.POSITIVE_INFINITY } } }],
    ["a streak longer than what is remembered", { detectors: { "failure-streak": { threshold: 33 } } }],
    ["failures of one class beyond what is remembered", { detectors: { "same-outcome": { threshold: 40 } } }],
    ["equal answers beyond what is remembered", { detectors: { "same-outcome": { answerThreshold: 13 } } }],
    ["similar calls beyond what is remembered", { detectors: { "similar-call": { threshold: 13 } } }],
    ["similar failures beyond what is remembered", { detectors: { "similar-call": { failingThreshold: 40 } } }],
    [
      "similar calls without outcomes beyond what is remembered",
      { detectors: { "similar-call": { blindThreshold: 13 } } },
    ],
    ["laps beyond what is remembered", { detectors: { "call-cycle": { laps: 10 } } }],
    ["laps without outcomes beyond what is remembered", { detectors: { "call-cycle": { blindLaps: 97 } } }],
    ["periods upside down", { detectors: { "call-cycle": { minPeriod: 5, maxPeriod: 4 } } }],
    ["a similarity of none", { detectors: { "similar-call": { similarity: 0 } } }],
    ["a similarity above one", { detectors: { "similar-call": { similarity: 1.01 } } }],
    ["text repeated once", { detectors: { "repeated-text": { repetitions: 1 } } }],
    ["a detector that there is not", { detectors: { "call-loop": {} } as never }],
    ["a ladder without rungs", { ladder: [] }],
    ["a ladder that goes down", { ladder: ["stop", "nudge"] }],
    ["a rung that there is not", { ladder: ["shout" as never] }],
    ["a preset that there is not", { preset: "constructor" as never }],
    ["a ladder for nobody", { ladderScope: "team" as never }],
    ["a caution that there is not", { beyondNudge: "never" as never }],
    ["no compared characters", { progress: { comparedCharacters: 0 } }],
    ["a negative patience", { progress: { patienceMs: -1 } }],
    ["outcomes that are neither", { progress: { outcomes: "maybe" as never } }],
    ["a rule that is none", { tools: { ls: null as never } }],
    ["a rule's threshold of one", { tools: { ls: { threshold: 1 } } }],
    ["a rule's negative patience", { tools: { ls: { poll: { patienceMs: -1 } } } }],
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

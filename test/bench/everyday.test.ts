import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type Expectation, expectationOf } from "../../bench/quality/everyday/expectation.ts";
import { scoreInnocent } from "../../bench/quality/everyday/score-innocent.ts";
import { scoreLoop } from "../../bench/quality/everyday/score-loop.ts";
import { findData } from "../../bench/quality/find-data.ts";
import { hostRun } from "../../bench/quality/host-run.ts";
import { everydayInstrument } from "../../bench/quality/instruments/everyday.ts";
import { measureInstruments } from "../../bench/quality/instruments/measure-instruments.ts";
import { type JudgedSource, OURS } from "../../bench/quality/judged-run.ts";
import type { Action } from "../../packages/doomloop/src/core/decision.ts";
import type {} from "../../packages/doomloop/src/index.ts";
import { isEvent } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import { openTrace, readTrace } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import { judgedRun } from "./judged-run.ts";

const wordsOf = (...actions: Action[]) => actions.map((action, call) => ({ call, action }));

describe("an innocent everyday run", () => {
  it.each<{ actions: Action[]; is: string[] }>([
    { actions: [], is: [] },
    { actions: ["nudge"], is: ["isSpokenTo"] },
    { actions: ["nudge", "block"], is: ["isSpokenTo", "isBlocked", "isTooHard"] },
    { actions: ["nudge", "stop"], is: ["isSpokenTo", "isStopped", "isTooHard"] },
    { actions: ["restart"], is: ["isSpokenTo", "isStopped", "isTooHard"] },
    { actions: ["block", "stop"], is: ["isSpokenTo", "isBlocked", "isStopped", "isTooHard"] },
  ])("is scored by what was done: $actions", ({ actions, is }) => {
    const score = Object.entries(scoreInnocent(wordsOf(...actions)));

    expect(score.filter(([, holds]) => holds).map(([name]) => name)).toEqual(is);
  });
});

describe("an everyday loop", () => {
  it.each([
    { title: "found at the first call that justifies a word", spokeAt: [10], verdict: "found", isEarly: false },
    { title: "found at the call after patience has ended", spokeAt: [15], verdict: "found", isEarly: false },
    { title: "late after that", spokeAt: [16], verdict: "late", isEarly: false },
    { title: "missed where nothing was said", spokeAt: [], verdict: "missed", isEarly: false },
    { title: "missed where something was said only before", spokeAt: [9], verdict: "missed", isEarly: true },
    { title: "found where it was spoken to early and in time", spokeAt: [9, 12], verdict: "found", isEarly: true },
    { title: "late where it was spoken to early and late", spokeAt: [2, 20], verdict: "late", isEarly: true },
  ])("is $title", ({ spokeAt, verdict, isEarly }) => {
    expect(scoreLoop({ from: 10, by: 14 }, spokeAt)).toEqual({ verdict, isEarly });
  });
});

describe("what is expected", () => {
  const line = { run: "loop/exact/one", events: [], class: "exact", expect: "spoken", span: [1, 9], from: 2, by: 4 };

  it("is read from the line of a run", () => {
    expect(expectationOf(line)).toEqual({ class: "exact", expect: "spoken", span: [1, 9], from: 2, by: 4 });
    expect(expectationOf({ ...line, expect: "silent" } as typeof line)).not.toHaveProperty("by");
  });

  it.each([{ class: undefined }, { expect: "quiet" }, { span: [1] }, { by: undefined }])("is required: %o", (more) => {
    expect(() => expectationOf({ ...line, ...more } as typeof line)).toThrow("loop/exact/one: class, expect and span");
  });
});

interface EverydayFile {
  readonly name: string;
  readonly runs: readonly TraceRun[];
  /** Lines that are no run. */
  readonly skipped: number;
}

describe("the everyday sets", () => {
  let files: readonly EverydayFile[];
  beforeAll(async () => {
    const { traces } = findData({ folder: undefined, labels: undefined }, {});
    files = await Promise.all(traces.everyday.map(readFile));
  });
  const runsOf = (kind: "innocent" | "loops" | "slow"): TraceRun[] =>
    files.filter(({ name }) => name.startsWith(kind)).flatMap(({ runs }) => runs);

  it("have a file of innocents and a file of loops each", () => {
    const setsOf = (kind: string) =>
      files.filter(({ name }) => name.startsWith(kind)).map(({ name }) => name.replace(kind, ""));

    expect(setsOf("innocent")).toHaveLength(9);
    expect(setsOf("loops")).toEqual(setsOf("innocent"));
    expect(setsOf("slow")).toEqual(["-8"]);
  });

  it("have a run on every line, under a name of its own", () => {
    const names = files.flatMap(({ runs }) => runs.map(({ run }) => run));

    expect(files.filter(({ skipped, runs }) => skipped > 0 || runs.length === 0)).toEqual([]);
    expect(files.flatMap(({ runs }) => runs.filter(({ events }) => !events.every(isEvent)))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
  });

  it("say of every run what is expected, in calls that it has", () => {
    const isWellFormed = (trace: TraceRun): boolean => {
      const expectation = expectationOf(trace);
      const [first, last] = expectation.span;
      const calls = trace.events.filter(({ type }) => type === "call").length;
      const places = expectation.expect === "spoken" ? [expectation.from, expectation.by, last + 1] : [];
      return isRising([0, first, last, calls - 1]) && isRising([first, ...places]);
    };

    expect(files.flatMap(({ runs }) => runs.filter((trace) => !isWellFormed(trace)).map(({ run }) => run))).toEqual([]);
    expect(runsOf("innocent").filter((trace) => expectationOf(trace).expect === "spoken")).toEqual([]);
    expect([...runsOf("loops"), ...runsOf("slow")].filter((trace) => expectationOf(trace).expect !== "spoken")).toEqual(
      [],
    );
  });

  it("have few innocent runs that are refused a call, and hardly one that is ended", () => {
    const scores = runsOf("innocent").map(({ events }) => scoreInnocent(hostRun(events).decisions));

    expect(scores.filter(({ isBlocked }) => isBlocked).length / scores.length).toBeLessThan(0.02);
    expect(scores.filter(({ isStopped }) => isStopped).length / scores.length).toBeLessThan(0.005);
  });

  it("have figures of their own, by the number in their names", () => {
    const runs = [judgedRun({ expectation: { class: "polling", expect: "silent", span: [0, 9] } })];
    const sourceOf = (source: string): JudgedSource => ({ kind: "everyday", source, runs, skipped: 0, faults: 0 });
    const instruments = measureInstruments(
      ["innocent", "innocent-2", "loops", "loops-2", "loops-3", "slow-3"].map(sourceOf),
    );

    expect(instruments.filter(({ name }) => name.startsWith("everyday, "))).toMatchObject([
      { name: "everyday, set 1", size: 2 },
      { name: "everyday, set 2", size: 2 },
      { name: "everyday, set 3", size: 1 },
      { name: "everyday, slow loops", size: 1 },
    ]);
  });
});

async function readFile(path: string): Promise<EverydayFile> {
  const runs: TraceRun[] = [];
  let skipped = 0;
  for await (const run of readTrace(openTrace(path), { onSkipped: () => void skipped++ })) runs.push(run);
  return { name: basename(path, ".jsonl.gz"), runs, skipped };
}

function isRising(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => Number.isInteger(number) && number >= (numbers[at - 1] ?? number));
}

describe("the everyday figures", () => {
  const innocent = (expect: "silent" | "nudge-at-most", ...actions: Action[]) =>
    judgedRun({ expectation: { class: "polling", expect, span: [0, 9] }, actions, rule: [] });
  const loop = (actions: Action[], rule: number[]) => {
    const expectation: Expectation = { class: "exact", expect: "spoken", span: [0, 9], from: 1, by: 3 };
    return judgedRun({ expectation, actions, rule });
  };
  const { figures } = everydayInstrument("everyday", [
    innocent("silent"),
    innocent("silent", "nudge"),
    innocent("silent", "nudge", "block", "stop"),
    innocent("silent"),
    innocent("nudge-at-most", "nudge"),
    innocent("nudge-at-most", "nudge", "block"),
    loop(["nudge", "nudge"], [4]),
    loop(["nudge"], [5]),
  ]);
  const valuesOf = (detector: string) =>
    Object.fromEntries(figures.map(({ name, values }) => [name, values[detector]]));

  it("are shares and counts of our guard", () => {
    expect(valuesOf(OURS)).toEqual({
      "innocents spoken to": 0.5,
      "innocents refused": 1,
      "innocents ended": 1,
      "arguable ones refused or ended": 1,
      "words per innocent spoken to, median": 1,
      "words per innocent spoken to, most": 3,
      "loops found in time": 0.5,
      "loops found late": 0,
      "loops missed": 0.5,
      "loops spoken to early": 1,
    });
  });

  it("are of words alone for a rule that only speaks", () => {
    expect(valuesOf("rule")).toMatchObject({
      "innocents spoken to": 0,
      "innocents refused": undefined,
      "loops found in time": 0.5,
      "loops found late": 0.5,
    });
  });
});

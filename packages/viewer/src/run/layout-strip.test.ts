import { describe, expect, it } from "vitest";
import type { LoopSummary, ReportStep } from "../../../doomloop/src/scan/report/report.ts";
import { sampleLoop, sampleSteps } from "../report/sample.ts";
import { callsInLoops, runInWords } from "./calls-in-loops.ts";
import { layoutStrip, type StripCell } from "./layout-strip.ts";
import { ribbonMarks } from "./ribbon-marks.ts";
import { ribbonSlices } from "./ribbon-slices.ts";
import { cellColour, swatchColour } from "./step-colour.ts";
import { stepGroups } from "./step-groups.ts";

function layout(steps: readonly ReportStep[], loops: readonly LoopSummary[] = [], total = steps.length) {
  return layoutStrip({ from: 1, total, steps }, loops, stepGroups(steps, loops, "call"), "call");
}
const loop = (onset: number, end: number, facts: Partial<LoopSummary> = {}) => sampleLoop({ onset, end, ...facts });
const drawn = (cells: readonly StripCell[]) =>
  cells
    .map((cell) => (cell.type === "gap" ? `(${cell.calls})` : (cell.group?.letter ?? ".") + (cell.isBarren ? "=" : "")))
    .join(" ");

describe("the strip", () => {
  it("shows equal steps with one letter, and where the outcome was that of the last time", () => {
    expect(drawn(layout(sampleSteps("q a1 b1 a1 b2 a1 a2 a2")).cells)).toBe(". A B A= B A= A A=");
  });

  it("never takes two missing outcomes for equal", () => {
    expect(drawn(layout(sampleSteps("a a a")).cells)).toBe("A A A");
  });

  it("puts brackets that overlap into lanes of their own, and others into the first", () => {
    const { lanes, cells } = layout(sampleSteps("a a a a a a a"), [loop(1, 4), loop(3, 5), loop(6, 7)]);
    const lane = (which: number) => cells.flatMap(({ brackets }) => brackets).find((part) => part.loop === which)?.lane;

    expect([lane(0), lane(1), lane(2), lanes]).toEqual([0, 1, 0, 2]);
  });

  it("has three lanes at most", () => {
    expect(
      layout(
        sampleSteps("a a a"),
        [0, 0, 0, 0, 0].map(() => loop(1, 3)),
      ).lanes,
    ).toBe(3);
  });

  it("marks what the guard would have done, mildest first, each once", () => {
    const decisions = [
      { call: 2, action: "stop" as const },
      { call: 2, action: "nudge" as const },
    ];
    const { cells } = layout(sampleSteps("a a"), [loop(1, 2, { decisions }), loop(1, 2, { decisions })]);

    expect(cells.map((cell) => cell.type === "step" && cell.actions)).toEqual([[], ["nudge", "stop"]]);
  });

  it("says why a step added nothing, each reason once, and knows reports without reasons", () => {
    const uncounted = [
      { call: 2, reason: "user-spoke" },
      { call: 2, reason: "user-spoke" },
      { call: 8, reason: "waiting" },
    ];
    const before = loop(1, 3, { uncounted: undefined as never });
    const { cells } = layout(sampleSteps("a a a"), [loop(1, 3, { uncounted }), loop(1, 3, { uncounted }), before]);

    expect(cells.map((cell) => cell.type === "step" && cell.uncounted)).toEqual([[], ["user-spoke"], []]);
  });

  it("says how many calls were left out: before, in between and after, and brackets go on over them", () => {
    const steps = sampleSteps("a a a a a a a a").filter(({ call }) => call === 3 || call === 7);
    const { cells } = layout(steps, [loop(4, 6)], 10);

    expect(drawn(cells)).toBe("(2) A (3) A (3)");
    expect(cells.map(({ brackets }) => brackets.map(({ isStart, isEnd }) => [isStart, isEnd]))).toEqual([
      [],
      [],
      [[true, true]],
      [],
      [],
    ]);
  });
});

describe("the ribbon", () => {
  const slicesOf = (steps: readonly ReportStep[], loops: readonly LoopSummary[], total?: number, named?: number) =>
    ribbonSlices(layout(steps, loops, total).cells, loops, named).map(({ start, length, colour, isQuiet }) => [
      start,
      length,
      `${colour}${isQuiet ? " quiet" : ""}`,
    ]);

  it("makes one slice of equal neighbours and covers every call once", () => {
    const steps = sampleSteps("q a a a b a b").filter(({ call }) => call !== 5);

    expect(slicesOf(steps, [loop(1, 8)], 9)).toEqual([
      [0, 1, "colour-loop"],
      [1, 3, "colour-0"],
      [4, 1, "colour-loop"],
      [5, 1, "colour-0"],
      [6, 2, "colour-loop"],
      [8, 1, "colour-gap"],
    ]);
  });

  it("colours only calls of a loop, and brackets no other", () => {
    const spread = loop(1, 6, {
      calls: [
        [1, 1],
        [4, 4],
        [6, 6],
      ],
    });

    expect(slicesOf(sampleSteps("a b b a b a"), [spread])).toEqual([
      [0, 1, "colour-0"],
      [1, 2, "colour-neutral"],
      [3, 1, "colour-0"],
      [4, 1, "colour-neutral"],
      [5, 1, "colour-0"],
    ]);
    const { cells } = layout(sampleSteps("a b b a b a"), [spread]);
    expect(cells.map(({ brackets }) => brackets.length)).toEqual([1, 0, 0, 1, 0, 1]);
  });

  it("lets the loops step back that are not spoken of", () => {
    expect(slicesOf(sampleSteps("a a q b b"), [loop(1, 2), loop(4, 5)], 5, 1)).toEqual([
      [0, 2, "colour-0 quiet"],
      [2, 1, "colour-neutral"],
      [3, 2, "colour-1"],
    ]);
  });
});

describe("calls in loops", () => {
  it("count once where loops overlap", () => {
    expect(callsInLoops([loop(6, 10), loop(1, 7), loop(2, 3), loop(21, 21)])).toBe(11);
    expect(callsInLoops([])).toBe(0);
  });

  it("are those that the loop names, not what lies between them", () => {
    expect(
      callsInLoops([
        loop(9, 54, {
          calls: [
            [9, 9],
            [18, 18],
            [27, 27],
            [54, 54],
          ],
        }),
      ]),
    ).toBe(4);
  });
});

describe("the colour of a step", () => {
  const innocent = Array.from({ length: 30 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(" ");

  it("is for loops: however much else repeats, the loop is coloured and the rest is neutral", () => {
    const steps = sampleSteps(`${innocent} ${innocent} a a a ${innocent}`);
    const { cells } = layout(steps, [loop(61, 63)]);

    expect(new Set(cells.slice(60, 63).map(cellColour))).toEqual(new Set(["colour-0"]));
    expect(new Set([...cells.slice(0, 60), ...cells.slice(63)].map(cellColour))).toEqual(new Set(["colour-neutral"]));
  });

  it("is never neutral in a loop: seven colours, then hatched, then from the start", () => {
    const steps = sampleSteps(`q ${innocent} ${innocent}`);
    const groups = stepGroups(steps, [loop(1, 61)], "call");
    const colours = layoutStrip({ from: 1, total: 61, steps }, [loop(1, 61)], groups, "call").cells.map(cellColour);

    expect(colours).not.toContain("colour-neutral");
    expect(colours[0]).toBe("colour-loop");
    expect(new Set(colours.slice(1, 15)).size).toBe(14);
    expect(colours[15]).toBe(colours[1]);
    expect([...groups.values()].map(swatchColour)).toEqual(colours.slice(1, 31));
  });
});

describe("a loop of answers without calls", () => {
  const answers = loop(2, 2, {
    ...{ kind: "text-only", what: "answers without a call", count: 16, calls: [] },
    decisions: [{ call: 2, action: "nudge" }],
  });

  it("counts answers in the heading", () => {
    expect(runInWords("Codex CLI", [answers], 20)).toBe("Codex CLI went in circles for 16 answers");
    expect(runInWords("Codex CLI", [loop(3, 9), answers], 20)).toBe(
      "Codex CLI went in circles for 7 of 20 calls and 16 answers",
    );
  });

  it("marks the place after a call, not the call", () => {
    const { cells } = layout(sampleSteps("a b c"), [answers]);

    expect(cells.flatMap((cell) => (cell.type === "step" ? cell.actions : []))).toEqual([]);
    expect(ribbonMarks([answers], 20, 400)).toMatchObject([{ call: 2.5, action: "nudge" }]);
  });
});

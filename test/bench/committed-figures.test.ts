import { describe, expect, it } from "vitest";
import { figuresOf, findAbsent, findLosses, readFigures } from "../../bench/quality/committed-figures.ts";
import { goals } from "../../bench/quality/goals.ts";
import { holdGoals } from "../../bench/quality/hold-goals.ts";
import type { Figure, Instrument } from "../../bench/quality/instruments/instrument.ts";
import { OURS } from "../../bench/quality/judged-run.ts";
import { goalsToMarkdown } from "../../bench/quality/report/goals-to-markdown.ts";

const figure = (name: string, value: number | undefined, more: Partial<Figure> = {}): Figure => ({
  name,
  unit: "ratio",
  better: "more",
  tolerance: 0.02,
  values: { [OURS]: value },
  ...more,
});
const instrument = (name: string, ...figures: Figure[]): Instrument => ({ name, data: "20 runs", size: 20, figures });
const less = { unit: "count", better: "less", tolerance: 0 } as const;
const measured = (recall: number | undefined, ended: number): Instrument[] => [
  instrument("recorded windows", figure("recall", recall)),
  instrument("real sessions", figure("ended", ended, less)),
];

describe("the committed figures", () => {
  const committed = figuresOf(measured(0.8, 3));

  it.each([
    { title: "themselves", now: measured(0.8, 3), losses: [] },
    { title: "better ones", now: measured(0.9, 0), losses: [] },
    { title: "a fall within the tolerance", now: measured(0.781, 3), losses: [] },
    {
      title: "a figure that fell",
      now: measured(0.779, 3),
      losses: ["recorded windows, recall: 0.7790, committed 0.8000"],
    },
    { title: "a figure that rose", now: measured(0.8, 4), losses: ["real sessions, ended: 4, committed 3"] },
    { title: "nothing where there is no figure", now: measured(undefined, 3), losses: [] },
    {
      title: "other data",
      now: [{ ...measured(0.8, 3)[0]!, size: 21 }],
      losses: ["recorded windows: other data than that of the committed figures: --write commits new ones"],
    },
    {
      title: "an instrument that is new",
      now: [instrument("new")],
      losses: ["new: other data than that of the committed figures: --write commits new ones"],
    },
  ])("are compared with $title", ({ now, losses }) => {
    expect(findLosses(now, committed)).toEqual(losses);
  });

  it("are not held where an instrument has nothing to look at", () => {
    const present = measured(0.8, 3).slice(1);

    expect(findLosses(present, committed)).toEqual([]);
    expect(findAbsent(present, committed)).toEqual(["recorded windows"]);
  });
});

describe("the goals", () => {
  it("are of figures that are committed", () => {
    const committed = readFigures();

    for (const { instrument: name, figure: of } of goals)
      expect(committed[name]?.figures, `${name}, ${of}`).toHaveProperty([of]);
  });

  it("are reached at their bound, from either side", () => {
    const verdicts = (recall: number, ended: number) =>
      holdGoals(measured(recall, ended))
        .filter((goal) => goal.measured !== undefined)
        .map(({ isReached }) => isReached);

    expect(verdicts(0.8, 0)).toEqual([true, true]);
    expect(verdicts(0.799, 1)).toEqual([false, false]);
  });

  it("are shown with what was measured, and where nothing was", () => {
    const table = goalsToMarkdown(holdGoals(measured(0.7966, 0))).replaceAll(/ +/g, " ");

    expect(table).toContain("| recorded windows | recall | >= 0.8 | 0.797 | not reached |");
    expect(table).toContain("| real sessions | ended | <= 0 | 0 | reached |");
    expect(table).toContain("| rows | ended by the 30th | | | not measured here |");
  });
});

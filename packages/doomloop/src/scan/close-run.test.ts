import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { afterOnsetsOf, type Measures, type Stretch } from "./close-run.ts";
import { createAmountSums } from "./costs/usage.ts";
import { sumAmounts } from "./report/amounts.ts";
import { after, includes, joined, type Span } from "./report/spans.ts";

const ANSWERS = 40;

/** A run in which each answer made one call and used the given dollars and thousands of tokens, as a range. */
function measuresOf(costs: readonly (readonly [low: number, high: number])[]): Measures {
  const tokens = createAmountSums(costs.length);
  const dollars = createAmountSums(costs.length, 1e9);
  for (const [low, high] of costs) {
    tokens.add(low * 1000, high * 1000);
    dollars.add(low, high);
  }
  return {
    tokens: (from, to) => ({ ...tokens.between(from, to), isEstimated: true }),
    costUsd: (from, to) => ({ ...dollars.between(from, to), isEstimated: true }),
    calls: (from, to) => to - from,
    timeMs: (from, to) => 1_000 * (to - from),
  };
}

const ONE_EACH = measuresOf(Array.from({ length: ANSWERS }, () => [1, 1]));

/** A loop in which the guard stepped in after one answer, and refused a call after another. */
function loop(spokeAfter: number, lastAnswer: number, refusedAfter?: number): Stretch {
  return rows(spokeAfter, [[spokeAfter, lastAnswer]], refusedAfter);
}

/** The same for a loop with other work between its calls. */
function rows(spokeAfter: number, spans: readonly Span[], refusedAfter?: number): Stretch {
  return { spokeAfter, refusedAfter, spokeAt: spokeAfter, calls: spans, answers: spans, isPossible: false };
}

const figures = (loops: readonly Stretch[]) => {
  const { each, all } = afterOnsetsOf(loops, ONE_EACH);
  return [...each, all].map(({ calls, costUsd }) => [calls, costUsd!.low, costUsd!.high]);
};

it("ranges from the first refusal to the first decision of the guard", () => {
  expect(figures([loop(4, 10, 7)])).toEqual([
    [6, 3, 6],
    [6, 3, 6],
  ]);
});

it("counts what two loops share for the one that the guard noticed first", () => {
  expect(figures([loop(6, 12), loop(4, 10)])).toEqual([
    [2, 0, 2],
    [6, 0, 6],
    [8, 0, 8],
  ]);
});

it("leaves possible loops out of the sum, and gives them only what lies in no loop", () => {
  const possible = { ...loop(2, 8), isPossible: true };

  expect(figures([possible, loop(4, 10)])).toEqual([
    [2, 0, 2],
    [6, 0, 6],
    [6, 0, 6],
  ]);
});

it("knows what was spent and how long it took since the first nudge, whatever was refused", () => {
  const { all } = afterOnsetsOf([loop(4, 10, 7)], ONE_EACH);

  expect(all.timeMs).toBe(6_000);
  expect(all.fromNudge!.costUsd).toMatchObject({ low: 6, high: 6 });
});

it("counts nothing for a loop inside another, and counts its refusal for the outer one", () => {
  expect(figures([loop(4, 20), loop(8, 12, 9)])).toEqual([
    [16, 3, 16],
    [0, 0, 0],
    [16, 3, 16],
  ]);
});

it("counts the calls of the loop, and nothing that lies between them", () => {
  const spread = rows(
    4,
    [
      [2, 4],
      [10, 11],
      [30, 30],
    ],
    10,
  );

  expect(figures([spread])).toEqual([
    [3, 2, 3],
    [3, 2, 3],
  ]);
  expect(figures([spread, loop(5, 20)])).toEqual([
    [3, 2, 3],
    [13, 0, 13],
    [16, 2, 16],
  ]);
});

it("returns null for loops of a run without known spending", () => {
  const calls = (from: number, to: number) => to - from;
  const unknown = { tokens: () => null, costUsd: () => null, timeMs: () => null, calls };
  const nothing = { tokens: null, costUsd: null };

  expect(afterOnsetsOf([loop(1, 3)], unknown).all).toEqual({
    ...{ calls: 2, answers: 2, timeMs: null, ...nothing, fromNudge: nothing },
  });
});

const amounts = fc
  .tuple(fc.double({ min: 0, max: 3, noNaN: true }), fc.double({ min: 0, max: 3, noNaN: true }))
  .map(([one, other]) => [Math.min(one, other), Math.max(one, other)] as const);
const place = fc.integer({ min: -1, max: ANSWERS - 1 });
const loops = fc.array(
  fc.tuple(place, place, place, fc.boolean()).map(([one, two, three, isRefused]) => {
    const [first, middle, last] = [one, two, three].sort((a, b) => a - b) as [number, number, number];
    const spans = joined([
      [first, first],
      [Math.ceil((first + middle) / 2), middle],
      [Math.ceil((middle + last) / 2), last],
    ]);
    return rows(first, spans, isRefused ? middle : undefined);
  }),
  { maxLength: 12 },
);

it("counts each call and each answer once, for any loops", () => {
  fc.assert(
    fc.property(loops, fc.array(amounts, { minLength: ANSWERS, maxLength: ANSWERS }), (found, costs) => {
      const measures = measuresOf(costs);
      const { each, all } = afterOnsetsOf(found, measures);
      const isIn = (answer: number, from: "spokeAt" | "spokeAfter" | "refusedAfter"): boolean =>
        found.some((one) => one[from] !== undefined && includes(after(one.answers, one[from]), answer));
      const once = costs.map((_, at) => measures.costUsd(at - 1, at)!);

      expect(sumAmounts([...each].reverse().map(({ costUsd }) => costUsd)) ?? all.costUsd).toEqual(all.costUsd);
      expect(sumAmounts(each.map(({ tokens }) => tokens)) ?? all.tokens).toEqual(all.tokens);
      expect(each.reduce((sum, { calls }) => sum + calls, 0)).toBe(once.filter((_, at) => isIn(at, "spokeAt")).length);
      expect(all.costUsd!.high).toBe(sumAmounts(once.filter((_, at) => isIn(at, "spokeAfter")))?.high ?? 0);
      expect(all.costUsd!.low).toBe(sumAmounts(once.filter((_, at) => isIn(at, "refusedAfter")))?.low ?? 0);
      for (const { costUsd } of each) expect(costUsd!.low).toBeLessThanOrEqual(costUsd!.high);
    }),
    { numRuns: Math.ceil(propertyRuns() / 5) },
  );
});

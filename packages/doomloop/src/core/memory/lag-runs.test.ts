import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { digestOfText } from "../identity/byte-writer.ts";
import { createLagRuns, type LagRuns, MAX_PERIOD } from "./lag-runs.ts";

const same = digestOfText("the same outcome");

function runsOf(names: readonly (string | number)[]): LagRuns {
  const lags = createLagRuns();
  names.forEach((name, index) => void lags.push(digestOfText(`${name}`), same, index));
  return lags;
}

/** The shortest period at which the end of a list repeats, found the long way. */
function plainPeriod(names: readonly number[], longest: number, laps: number, extra: number): number {
  for (let period = 1; period <= longest; period++) {
    const needed = (laps - 1) * period + extra;
    const isRepeating = Array.from({ length: needed }, (_, at) => names.length - 1 - at).every(
      (at) => at - period >= 0 && names[at] === names[at - period],
    );
    if (isRepeating) return period;
  }
  return 0;
}

describe("createLagRuns", { timeout: 900_000 }, () => {
  it("finds the shortest period", () => {
    expect(runsOf([..."abab"]).period(1, 32, 2, 0)).toBe(2);
    expect(runsOf([..."aaaa"]).period(1, 32, 2, 0)).toBe(1);
    expect(runsOf([..."aaaa"]).period(2, 32, 2, 0)).toBe(2);
    expect(runsOf([..."abcabc"]).period(1, 32, 2, 0)).toBe(3);
    expect(runsOf([..."abcabd"]).period(1, 32, 2, 0)).toBe(0);
  });

  it("finds it at any rotation, and after anything else", () => {
    expect(runsOf([..."xyzbcabcab"]).period(1, 32, 2, 1)).toBe(3);
  });

  it("asks for the laps and the steps beyond them", () => {
    expect(runsOf([..."ababa"]).period(1, 32, 2, 1)).toBe(2);
    expect(runsOf([..."abab"]).period(1, 32, 2, 1)).toBe(0);
    expect(runsOf([..."ababa"]).period(1, 32, 3, 0)).toBe(0);
  });

  it("counts whole laps", () => {
    expect(runsOf([..."ababab"]).laps(2)).toBe(3);
    expect(runsOf([..."abababa"]).laps(2)).toBe(3);
  });

  it("tells outcomes apart", () => {
    const lags = createLagRuns();
    [..."abab"].forEach((name, index) => void lags.push(digestOfText(name), digestOfText(`${index}`), index));

    expect(lags.period(1, 32, 2, 0)).toBe(0);
  });

  it("gives back its latest steps", () => {
    const lags = runsOf([..."abc"]);

    expect(lags.indices(2)).toEqual([1, 2]);
    expect(lags.keys(1)).toEqual([digestOfText("c") + same]);
    expect(lags.callsAt([0, 2])).toEqual([digestOfText("a"), digestOfText("c")]);
    expect(lags.indices(99)).toEqual([0, 1, 2]);
  });

  it("tells whether a step of the latest lap is proof, also when it was saved", () => {
    const lags = createLagRuns();
    [..."abcabc"].forEach(
      (name, index) => void lags.push(digestOfText(name), same, index, { isProof: index === 4, isExact: index !== 5 }),
    );

    for (const some of [createLagRuns(JSON.parse(JSON.stringify(lags.save()))), lags]) {
      expect([1, 2, 3].map((period) => some.isCertain(period))).toEqual([false, true, true]);
      expect([1, 2, 3].map((period) => some.isExact(period))).toEqual([false, false, false]);
      some.push(digestOfText("a"), same, 6);
      some.push(digestOfText("b"), same, 7);
      expect(some.isCertain(3)).toBe(false);
    }
    lags.clear();
    expect(lags.isCertain(9)).toBe(false);
  });

  it("forgets", () => {
    const lags = runsOf([..."aaaa"]);
    lags.clear();

    expect(lags.period(1, 32, 2, 0)).toBe(0);
    expect(lags.indices(9)).toEqual([]);
  });

  it("finds what the long way finds", () => {
    const names = fc.array(fc.nat(2), { maxLength: 90 });
    const property = fc.property(names, fc.integer({ min: 2, max: 3 }), fc.nat(1), (list, laps, extra) => {
      expect(runsOf(list).period(1, MAX_PERIOD, laps, extra)).toBe(plainPeriod(list, MAX_PERIOD, laps, extra));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("goes on from where it was saved", () => {
    const property = fc.property(
      fc.array(fc.nat(2), { maxLength: 300 }),
      fc.array(fc.nat(2), { maxLength: 60 }),
      (before, after) => {
        const through = runsOf(before);
        const resumed = createLagRuns(JSON.parse(JSON.stringify(through.save())));
        after.forEach((name, at) => {
          for (const lags of [through, resumed]) lags.push(digestOfText(`${name}`), same, before.length + at);
          expect(resumed.period(1, 32, 2, 1)).toBe(through.period(1, 32, 2, 1));
        });
        expect(resumed.save()).toEqual(through.save());
      },
    );
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 50) });
  });
});

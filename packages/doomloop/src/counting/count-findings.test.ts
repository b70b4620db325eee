import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../test/property-runs.ts";
import { lapLength } from "./count-findings.ts";
import { countCall, createCountMemory } from "./count-memory.ts";
import { resolveCounts } from "./count-rules.ts";

type Cycles = { shortest: number; longest: number; laps: number };

/** The lap length at each call of a run that is written as letters. */
function lapsIn(run: string, cycles: Cycles): (number | undefined)[] {
  const memory = createCountMemory();
  const rules = resolveCounts({ cycles, within: 2 }, ["stop"]);
  return [...run].map((key, index) => {
    countCall(memory, { index, tool: key, key, same: key, alike: key }, rules);
    return lapLength(memory, rules);
  });
}

/** The same, by looking at all laps of all lengths. */
function slowly(run: string, { shortest, longest, laps }: Cycles): number | undefined {
  for (let period = shortest; period <= longest; period++) {
    const lap = run.slice(-period);
    const isWhole = run.length >= period * laps && run.endsWith(lap.repeat(laps));
    const isMadeOfShorter = [...lap].some(
      (_, at) => at > 0 && period % at === 0 && lap.slice(0, at).repeat(period / at) === lap,
    );
    if (isWhole && !isMadeOfShorter) return period;
  }
  return undefined;
}

describe("lapLength", () => {
  it("finds what comparing all laps finds", () => {
    const cycles = fc.record({
      shortest: fc.integer({ min: 2, max: 3 }),
      longest: fc.integer({ min: 3, max: 5 }),
      laps: fc.integer({ min: 2, max: 3 }),
    });
    const runs = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 30 });
    const property = fc.property(runs, cycles, (run, rule) => {
      expect(lapsIn(run, rule)).toEqual([...run].map((_, at) => slowly(run.slice(0, at + 1), rule)));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

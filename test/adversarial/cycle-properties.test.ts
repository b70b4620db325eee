import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { step } from "../builders.ts";
import { propertyRuns } from "../property-runs.ts";
import { letters, observeAll } from "./many-guards.ts";

const runs = { numRuns: propertyRuns() };

/** A step that looks and never changes anything. */
const looks = fc.record({ path: fc.nat({ max: 999_999 }), output: fc.string({ minLength: 1, maxLength: 40 }) });

describe("runs with a strict barren cycle", () => {
  const cycles = fc.tuple(
    fc.integer({ min: 1, max: 32 }),
    fc.array(looks, { maxLength: 6 }),
    fc.nat(),
    fc.integer({ min: 0, max: 31 }),
  );

  it("are spoken to within the third repetition, and never before the first is complete", () => {
    const property = fc.property(cycles, ([period, before, seed, shift]) => {
      const lap = Array.from({ length: period }, (_, at) =>
        step(`read_${at}`, { path: `file ${at}` }, `${letters(seed + at * 13)} is what it says`),
      );
      const rotated = [...lap.slice(shift % period), ...lap.slice(0, shift % period)];
      const prefix = before.flatMap(({ path, output }, at) =>
        step("read_before", { path: `${path}-${at}` }, `${letters(at * 17 + 3)} ${output}`),
      );
      const guard = createGuard({ ladder: ["nudge"] });
      observeAll(guard, prefix);
      const laps = [rotated, rotated, rotated].map((steps) =>
        observeAll(guard, steps.flat()).some(({ finding }) => finding !== undefined),
      );

      expect(laps[0]).toBe(false);
      expect(laps[2]).toBe(true);
      if (period === 1) expect(laps[1]).toBe(false);
    });
    // The calls of the example have names whose marks fell into one place.
    fc.assert(property, { ...runs, examples: [[[25, [], 1_442_388_604, 0]]] });
  });
});

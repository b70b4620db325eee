import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStreams } from "../arbitrary-events.ts";
import { step } from "../builders.ts";
import { propertyRuns } from "../property-runs.ts";
import { expectSame, kept, letters, observeAll, presets } from "./many-guards.ts";

const CEILING = 65_536;
const runs = { numRuns: propertyRuns() };

/** A step that looks and never changes anything. */
const looks = fc.record({ path: fc.nat({ max: 999_999 }), output: fc.string({ minLength: 1, maxLength: 40 }) });

describe("whatever happens", { timeout: 1_200_000 }, () => {
  it("a snapshot at any point changes no later decision and no later snapshot", () => {
    const property = fc.property(eventStreams, presets, fc.nat(), (events, options, place) => {
      const cut = place % (events.length + 1);
      const through = createGuard(options);
      const expected = observeAll(through, events);
      const before = createGuard(options);
      observeAll(before, events.slice(0, cut));
      const after = createGuard({ ...options, snapshot: kept(before) });

      expectSame(observeAll(after, events.slice(cut)), expected.slice(cut));
      expectSame(kept(after), kept(through));
      expectSame(after.stats(), through.stats());
    });
    fc.assert(property, runs);
  });

  it("a peek foretells the decision and changes nothing", () => {
    const property = fc.property(eventStreams, presets, fc.nat(), (events, options, place) => {
      const cut = place % events.length;
      const guard = createGuard(options);
      const untouched = createGuard(options);
      observeAll(guard, events.slice(0, cut));
      observeAll(untouched, events.slice(0, cut));
      const foretold = guard.peek(events[cut]!);

      expectSame(guard.snapshot(), untouched.snapshot());
      expectSame(guard.observe(events[cut]!), foretold);
    });
    fc.assert(property, runs);
  });

  it("the memory stays below its ceiling", () => {
    const property = fc.property(eventStreams, fc.string({ maxLength: 300, unit: "binary" }), (events, words) => {
      const guard = createGuard();
      for (const event of events) {
        guard.observe(event);
        if (event.type === "call") guard.observe({ ...event, tool: `${event.tool}${words}`, id: words });
        if (event.type === "state") guard.observe({ ...event, key: `${event.key}${words}` });
      }

      expect(new TextEncoder().encode(JSON.stringify(guard.snapshot())).length).toBeLessThanOrEqual(CEILING);
    });
    fc.assert(property, runs);
  });
});

describe("runs with a strict barren cycle", { timeout: 1_200_000 }, () => {
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
    fc.assert(property, runs);
  });
});

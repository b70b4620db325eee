import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, it } from "vitest";
import { eventStreams } from "../arbitrary-events.ts";
import { propertyRuns } from "../property-runs.ts";
import { expectSame, kept, observeAll, presets } from "./many-guards.ts";

const runs = { numRuns: propertyRuns() };

describe("whatever happens", () => {
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
});

import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, it } from "vitest";
import { eventStreams } from "../arbitrary-events.ts";
import { propertyRuns } from "../property-runs.ts";
import { expectSame, observeAll, presets } from "./many-guards.ts";

const runs = { numRuns: propertyRuns() };

describe("whatever happens", () => {
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
});

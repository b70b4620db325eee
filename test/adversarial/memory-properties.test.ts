import { createGuard } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStreams } from "../arbitrary-events.ts";
import { propertyRuns } from "../property-runs.ts";

const CEILING = 65_536;
const runs = { numRuns: propertyRuns() };

describe("whatever happens", () => {
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

import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createRunClock, PAUSE_MS } from "./run-clock.ts";

type Noted = readonly [type: "call" | "result" | "text" | "user", at?: number];

function timeOf(events: readonly Noted[]) {
  const clock = createRunClock();
  for (const [type, at] of events) clock.note(type, at);
  return clock.take();
}

it("gives the time before a result to tools, before a call to the model, and before the user to pauses", () => {
  const time = timeOf([
    ["user", 0],
    ["call", 1_000],
    ["result", 3_000],
    ["text", 3_500],
    ["user", 63_500],
  ]);

  expect(time).toEqual({ toolsMs: 2_000, modelMs: 1_500, pausesMs: 60_000 });
});

it("takes more than an hour for a pause, whatever comes after it", () => {
  const night = PAUSE_MS + 1;

  expect(
    timeOf([
      ["call", 0],
      ["result", night],
    ]),
  ).toEqual({ toolsMs: 0, modelMs: 0, pausesMs: night });
});

it("takes a person's answer for a pause", () => {
  const clock = createRunClock();
  clock.note("call", 0);

  expect(clock.note("result", 5_000, true)).toBe(0);
  expect(clock.take()).toEqual({ toolsMs: 0, modelMs: 0, pausesMs: 5_000 });
});

it("does not share out what events without a time make unclear", () => {
  expect(timeOf([["result", 0], ["user"], ["call", 9_000]])?.pausesMs).toBe(9_000);
  expect(timeOf([["call", 0], ["result"], ["call", 9_000]])).toEqual({ toolsMs: 0, modelMs: 0, pausesMs: 0 });
});

it("has no time where at most one event has one", () => {
  expect(timeOf([["call", 5], ["result"], ["text"]])).toBeNull();
});

it("never gives out more time than there was, in whatever order the times come", () => {
  const event = fc.tuple(
    fc.constantFrom("call" as const, "result" as const, "text" as const, "user" as const),
    fc.option(fc.integer({ min: 0, max: 1e8 }), { nil: undefined }),
  );
  fc.assert(
    fc.property(fc.array(event, { maxLength: 40 }), (events) => {
      const times = events.flatMap(([, at]) => at ?? []);
      const { toolsMs, modelMs, pausesMs } = timeOf(events as readonly Noted[]) ?? {
        toolsMs: 0,
        modelMs: 0,
        pausesMs: 0,
      };
      const whole = times.length === 0 ? 0 : Math.max(...times) - times[0]!;
      expect(Math.min(toolsMs, modelMs, pausesMs)).toBeGreaterThanOrEqual(0);
      expect(toolsMs + modelMs + pausesMs).toBeLessThanOrEqual(whole);
    }),
    { numRuns: propertyRuns() },
  );
});

import type { AgentEvent, Finding } from "doomloop";
import fc from "fast-check";
import { expect, it } from "vitest";
import { eventStreams, workStreams } from "../../../../test/arbitrary-events.ts";
import { call, decisionsOf, failure, newGuard, step, times } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";

const look = (path: string): AgentEvent[] => step("read_file", { path }, `this is ${path}, and nothing else`);
const findingsIn = (events: readonly AgentEvent[]): Finding[] =>
  decisionsOf(events, { ladder: ["nudge"] }).map(({ finding }) => finding!);

it("gives a loop one identity for every rotation of a cycle, in every run, and another loop another one", () => {
  const loopOf = (...lap: string[]) => findingsIn(times(5, lap.flatMap(look))).at(-1)!.loop;

  expect(new Set([loopOf("a", "b", "c"), loopOf("b", "c", "a"), loopOf("c", "a", "b")]).size).toBe(1);
  expect(loopOf("a")).not.toBe(loopOf("b"));
});

it("does not forbid the next call to a worker whose command says only ok", () => {
  const said = decisionsOf(times(40, step("Bash", { command: "./next.sh" }, "ok")), { ladder: ["nudge"] });

  expect(said[0]?.message).toContain("If you repeat it on purpose, go on.");
  expect(said.map(({ message }) => message).join()).not.toMatch(/Don't|refused/);
});

it.each<[string, readonly AgentEvent[]]>([
  ["exact", times(3, look("a.ts"))],
  ["masked", [1, 2, 3].flatMap((at) => step("read_file", { path: "a.ts" }, `this is a.ts, read at 12:00:0${at}`))],
  ["blind", times(9, [call("click", { on: "Next" })])],
])("tells how alike the outcomes were: %s", (outcome, events) => {
  expect(findingsIn(events)[0]?.evidence).toMatchObject({ outcome });
});

it("tells how many tests fail", () => {
  const lap = (at: number): AgentEvent[] => [
    ...[call("bash", { command: "npm test" }), failure("expected 3, got 4\nTests: 2 failed, 7 passed")],
    ...step("edit_file", { path: "a.ts", text: `attempt ${at}` }, "edited"),
  ];

  expect(findingsIn([0, 1, 2, 3, 4, 5].flatMap(lap))[0]).toMatchObject({ kind: "test-fix", evidence: { failing: 2 } });
});

it("keeps to its form, whatever happens", () => {
  const property = fc.property(fc.oneof(eventStreams, workStreams), (events) => {
    const guard = newGuard({ preset: "shadow", onFault: () => {} });
    for (const event of events) {
      guard.observe(event);
      const finding = guard.shown();
      if (finding === undefined) continue;
      const { loop, steps, count, weight, confidence, tools } = finding;
      expect(loop).toMatch(/^[0-9a-f]{32}$/);
      expect([Number.isInteger(count), count >= 1, weight > 0, confidence > 0, confidence <= 1]).not.toContain(false);
      expect([tools.length <= 8, steps.length <= 48, new Set(steps).size === steps.length]).not.toContain(false);
      expect(JSON.parse(JSON.stringify(finding))).toEqual(finding);
    }
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
});

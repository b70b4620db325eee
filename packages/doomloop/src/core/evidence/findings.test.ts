import type { AgentEvent, Finding } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventStreams, workStreams } from "../../../../../test/arbitrary-events.ts";
import { call, decisionsOf, failure, newGuard, step, times } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const look = (path: string): AgentEvent[] => step("read_file", { path }, `this is ${path}, and nothing else`);
const findingsIn = (events: readonly AgentEvent[]): Finding[] =>
  decisionsOf(events, { ladder: ["nudge"] }).map(({ finding }) => finding!);

describe("the identity of a loop", () => {
  it("is the same for every rotation of a cycle, in every run", () => {
    const lap = ["a.ts", "b.ts", "c.ts"];
    const loops = [0, 1, 2].map((shift) => {
      const rotated = [...lap.slice(shift), ...lap.slice(0, shift)];
      const found = findingsIn(times(5, rotated.flatMap(look))).filter(({ kind }) => kind === "call-cycle");
      expect(found.length).toBeGreaterThan(0);
      return found.map(({ loop }) => loop);
    });

    expect(new Set(loops.flat()).size).toBe(1);
  });

  it("is another one for another loop", () => {
    const [one] = findingsIn(times(3, look("a.ts")));
    const [other] = findingsIn(times(3, look("b.ts")));

    expect(one!.loop).not.toBe(other!.loop);
    expect(findingsIn(times(3, look("a.ts")))[0]!.loop).toBe(one!.loop);
  });
});

describe("a finding", () => {
  it("does not forbid the next call to a worker whose command says only ok", () => {
    const decisions = decisionsOf(times(40, step("Bash", { command: "./next.sh" }, "ok")), { ladder: ["nudge"] });
    const said = decisions.map(({ message = "" }) => message);

    expect(said[0]).toContain("If you repeat it on purpose, go on.");
    expect(said.slice(1).join()).toContain("If nothing, try another way");
    expect(said.join()).not.toMatch(/Don't|refused/);
  });

  it("tells how alike the outcomes were", () => {
    const outcomeOf = (events: readonly AgentEvent[]) => findingsIn(events)[0]!.evidence;

    expect(outcomeOf(times(3, look("a.ts")))).toMatchObject({ outcome: "exact" });
    expect(
      outcomeOf([1, 2, 3].flatMap((at) => step("read_file", { path: "a.ts" }, `this is a.ts, read at 12:00:0${at}`))),
    ).toMatchObject({ outcome: "masked" });
    expect(outcomeOf(times(9, [call("click", { on: "Next" })]))).toMatchObject({ outcome: "blind" });
  });

  it("tells how many tests fail", () => {
    const lap = (at: number): AgentEvent[] => [
      call("bash", { command: "npm test" }),
      failure("expected 3, got 4\nTests: 2 failed, 7 passed"),
      ...step("edit_file", { path: "a.ts", text: `attempt ${at}` }, "edited"),
    ];

    expect(findingsIn([0, 1, 2, 3, 4, 5].flatMap(lap))[0]).toMatchObject({
      kind: "test-fix",
      evidence: { failing: 2 },
    });
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
        expect(Number.isInteger(count) && count >= 1).toBe(true);
        expect(weight).toBeGreaterThan(0);
        expect(confidence > 0 && confidence <= 1).toBe(true);
        expect(tools.length).toBeLessThanOrEqual(8);
        expect(steps.length).toBeLessThanOrEqual(48);
        expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
        expect(JSON.parse(JSON.stringify(finding))).toEqual(finding);
      }
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });
});

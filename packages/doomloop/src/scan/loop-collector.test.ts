import { expect, it } from "vitest";
import type { Finding } from "../core/finding.ts";
import { createLoopCollector, sharesIn } from "./loop-collector.ts";

function sighting(call: number, action: "nudge" | "block" | "stop" | undefined, loop = "a", count = 3, answer = call) {
  const finding: Finding = {
    kind: "repeated-call",
    loop,
    steps: [call - 2, call - 1, call],
    count,
    weight: count - 1,
    confidence: 0.9,
    tools: ["read"],
    evidence: { outcome: "exact", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false },
  };
  return {
    finding,
    action,
    call,
    steps: () => [call - 2, call - 1, call],
    answer,
    at: null,
    areEqual: () => true,
    describe: () => "read a.ts",
    tools: () => ["read"],
    cause: () => "unknown" as const,
  };
}

it("groups decisions that share an identity into one loop", () => {
  const collector = createLoopCollector();
  collector.note(sighting(4, "nudge"));
  collector.note(sighting(5, "nudge", "a", 4));
  collector.note(sighting(6, "block", "a", 4));

  expect(collector.loops).toHaveLength(1);
  expect(collector.loops[0]).toMatchObject({
    onset: 2,
    end: 6,
    counted: 4,
    weight: 3,
    named: [[2, 6]],
    spokeAt: 4,
    spokeAfter: 4,
    refusedAfter: 6,
    decided: 3,
  });
});

it("follows a loop as long as it is seen, and starts none without a decision", () => {
  const collector = createLoopCollector();

  expect(collector.note(sighting(4, undefined))).toBeUndefined();
  expect(collector.note(sighting(5, "nudge", "a", 4))).toBeDefined();
  expect(collector.note(sighting(24, undefined, "a", 5))).toBeDefined();
  expect(collector.note(sighting(43, "nudge", "a", 6))).toBeDefined();
  expect(collector.note(sighting(90, undefined, "a", 7))).toBeUndefined();
  expect(collector.loops).toHaveLength(1);
  expect(collector.loops[0]).toMatchObject({ onset: 3, end: 43, counted: 6, decided: 2, spokeAt: 5 });
  expect(collector.loops[0]!.named).toEqual([
    [3, 5],
    [22, 24],
    [41, 43],
  ]);
});

it("separates different loops, and a loop that returns much later", () => {
  const collector = createLoopCollector();
  collector.note(sighting(4, "nudge"));
  collector.note(sighting(5, "nudge", "b"));
  collector.note(sighting(90, "nudge", "a", 3, 9));
  collector.note(sighting(91, "nudge", "a", 3, 80));

  expect(collector.loops.map(({ loop, onset }) => [loop, onset])).toEqual([
    ["a", 2],
    ["b", 3],
    ["a", 88],
    ["a", 89],
  ]);
});

it("keeps a limited list of decisions, and counts all of them", () => {
  const collector = createLoopCollector();
  for (let call = 3; call < 5_000; call++) collector.note(sighting(call, "stop"));

  expect(collector.loops[0]!.decisions.length).toBeLessThanOrEqual(100);
  expect(collector.loops[0]!.decided).toBe(4_997);
});

it("counts one decision for a call, however often the guard would have answered it", () => {
  const collector = createLoopCollector();
  collector.note(sighting(10, "block"));
  collector.note(sighting(10, "nudge"));

  expect(collector.loops[0]).toMatchObject({ decided: 1, decisions: [{ call: 10, action: "block" }] });
});

it("shares the evidence of a loop among its calls after the first, unless it is about one call", () => {
  const collector = createLoopCollector();
  collector.note({ ...sighting(4, "nudge"), finding: { ...sighting(4, "nudge").finding, weight: 1 } });

  expect([...sharesIn(collector.loops)]).toEqual([
    [3, 0.5],
    [4, 0.5],
  ]);
  expect(sharesIn([{ ...collector.loops[0]!, repeated: 7 }]).size).toBe(0);
});

it("looks at no more of a long loop than at its latest calls", () => {
  const collector = createLoopCollector();
  const looks: number[] = [];
  for (let call = 2; call < 1_000; call++) {
    const steps = (since: number): number[] => {
      looks.push(call - since);
      return Array.from({ length: call + 1 - since }, (_, at) => since + at);
    };
    collector.note({ ...sighting(call, call % 9 === 2 ? "nudge" : undefined), steps });
  }

  expect(Math.max(...looks.slice(2))).toBeLessThanOrEqual(101);
  expect(collector.loops).toMatchObject([{ onset: 0, end: 999, named: [[0, 999]] }]);
});

import { expect, it } from "vitest";
import type { Finding } from "../core/detectors/index.ts";
import { createLoopBook } from "./loop-book.ts";
import type { Uncounted } from "./run-record.ts";

function sighting(call: number, action: "nudge" | "block" | "stop" | undefined, loop = "a", count = 3, answer = call) {
  const finding: Finding = {
    kind: "repeated-call",
    loop,
    steps: [call - 2, call - 1, call],
    count,
    confidence: 0.9,
    isCertain: true,
    tools: ["read"],
    evidence: { outcome: "exact", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false, uncounted: [] },
  };
  return {
    finding,
    action,
    call,
    onset: call - 2,
    answer,
    at: null,
    uncounted: [] as Uncounted[],
    describe: () => "read a.ts",
  };
}

it("counts no more repeats than there are calls where a run is ended after the call has run", () => {
  const book = createLoopBook();
  book.note(sighting(4, "nudge"));
  book.note(sighting(5, "stop", "a", 4));

  expect(book.loops[0]).toMatchObject({ onset: 2, end: 5, count: 4 });
});

it("makes one loop of decisions that share an identity", () => {
  const book = createLoopBook();
  book.note(sighting(4, "nudge"));
  book.note(sighting(5, "nudge", "a", 4));
  book.note(sighting(6, "block", "a", 4));

  expect(book.loops).toHaveLength(1);
  expect(book.loops[0]).toMatchObject({
    onset: 2,
    end: 6,
    count: 5,
    spokeAt: 4,
    spokeAfter: 4,
    refusedAfter: 6,
    decided: 3,
  });
});

it("follows a loop as long as it shows, and begins none about which the guard says nothing", () => {
  const book = createLoopBook();

  expect(book.note(sighting(4, undefined))).toBe(false);
  expect(book.note(sighting(5, "nudge", "a", 4))).toBe(true);
  expect(book.note(sighting(24, undefined, "a", 5))).toBe(true);
  expect(book.note(sighting(43, "nudge", "a", 6))).toBe(true);
  expect(book.note(sighting(90, undefined, "a", 7))).toBe(false);
  expect(book.loops).toHaveLength(1);
  expect(book.loops[0]).toMatchObject({ onset: 3, end: 43, count: 6, decided: 2, spokeAt: 5 });
});

it("keeps different loops apart, and one that comes back much later", () => {
  const book = createLoopBook();
  book.note(sighting(4, "nudge"));
  book.note(sighting(5, "nudge", "b"));
  book.note(sighting(90, "nudge", "a", 3, 9));
  book.note(sighting(91, "nudge", "a", 3, 80));

  expect(book.loops.map(({ loop, onset }) => [loop, onset])).toEqual([
    ["a", 2],
    ["b", 3],
    ["a", 88],
    ["a", 89],
  ]);
});

it("keeps a bounded list of decisions, and counts them all", () => {
  const book = createLoopBook();
  for (let call = 3; call < 5_000; call++) book.note(sighting(call, "stop"));

  expect(book.loops[0]!.decisions.length).toBeLessThanOrEqual(100);
  expect(book.loops[0]!.decided).toBe(4_997);
});

it("keeps the latest hundred repeats that were not counted, each once and in order", () => {
  const book = createLoopBook();
  const passed = (call: number): Uncounted => ({ call, reason: "user-spoke" });
  book.note({ ...sighting(10, "nudge"), uncounted: [passed(4), passed(6)] });
  book.note({ ...sighting(11, "nudge"), uncounted: [passed(6), passed(2)] });
  book.note(sighting(12, "nudge"));

  expect(book.loops[0]!.uncounted).toEqual([passed(2), passed(4), passed(6)]);
  for (let call = 13; call < 240; call++) book.note({ ...sighting(call, "nudge"), uncounted: [passed(call - 1)] });
  expect(book.loops[0]!.uncounted.map(({ call }) => call)).toEqual(Array.from({ length: 100 }, (_, at) => 139 + at));
});

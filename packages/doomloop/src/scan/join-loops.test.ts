import { expect, it } from "vitest";
import { joinLoops } from "./join-loops.ts";
import { createLoopCollector, type OpenLoop } from "./loop-collector.ts";
import type { Span } from "./report/spans.ts";

/** A loop of one call, at which the guard spoke at its last call. */
function loop(name: string, named: readonly Span[], more: Partial<OpenLoop> = {}): OpenLoop {
  const end = named.at(-1)?.[1] ?? 0;
  const collector = createLoopCollector();
  collector.note({
    finding: {
      ...{ kind: "repeated-call", loop: name, steps: [], count: 3, weight: 2, confidence: 0.9, tools: [name] },
      evidence: { outcome: "exact", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false },
    },
    ...{ action: "nudge", call: end, steps: () => [named[0]?.[0] ?? end], answer: end, at: null },
    ...{ areEqual: () => true, describe: () => name, tools: () => [name], cause: () => "unknown" },
  });
  return { ...collector.loops[0]!, named: [...named], repeated: name.length * 31 + name.charCodeAt(0), ...more };
}

const rows = (...calls: number[]): readonly Span[] => calls.map((call) => [call, call]);

it("joins two loops of one call, and counts each call once", () => {
  const joined = joinLoops([
    loop("test", rows(7, 9, 11)),
    loop("test", rows(5, 7, 9, 11, 13), { loop: "other", weight: 4, cause: "fix-without-effect" }),
  ]);

  expect(joined).toMatchObject([
    {
      loop: "other",
      cause: "fix-without-effect",
      onset: 5,
      end: 13,
      named: rows(5, 7, 9, 11, 13),
      spokeAt: 11,
      decided: 2,
    },
  ]);
});

it("counts the reads of one file together, whatever part of it they read", () => {
  const joined = joinLoops([
    loop("a", rows(1, 3, 5), { what: "Read models.py" }),
    loop("b", rows(2, 4, 6), { what: "Read models.py" }),
  ]);

  expect(joined).toMatchObject([{ what: "Read models.py", named: [[1, 6]], besides: [], areEqual: false }]);
});

it("keeps the calls of another loop in the stretch apart from those that it counts", () => {
  const joined = joinLoops([loop("test", rows(2, 4, 6), { weight: 5 }), loop("edit", rows(1, 3, 5))]);

  expect(joined).toMatchObject([{ what: "test", named: rows(2, 4, 6), besides: rows(1, 3, 5), onset: 1 }]);
});

it("joins no loops that lie beside each other, in a gap, or without a call", () => {
  const loops = [loop("a", [[1, 4]]), loop("b", rows(5, 9, 20)), loop("c", [[11, 15]]), loop("words", [])];

  expect(joinLoops(loops)).toHaveLength(4);
});

it("joins what a third loop connects", () => {
  const loops = [loop("a", rows(1, 4)), loop("b", rows(5, 8)), loop("c", rows(3, 6, 7))];

  expect(joinLoops(loops)).toHaveLength(1);
});

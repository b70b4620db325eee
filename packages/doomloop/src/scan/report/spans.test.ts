import fc from "fast-check";
import { expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { addTo, after, includes, joined, type Span, shared, sizeOf, without } from "./spans.ts";

const positions = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 40 });

function spansOf(list: readonly number[]): readonly Span[] {
  const spans: Span[] = [];
  for (const position of list) addTo(spans, position);
  return spans;
}

const listOf = (spans: readonly Span[]): number[] =>
  Array.from({ length: 45 }, (_, at) => at).filter((at) => includes(spans, at));
const sorted = (set: ReadonlySet<number>): number[] => [...set].sort((one, other) => one - other);

it("keeps positions in order and joins those that touch", () => {
  expect(spansOf([5, 3, 4, 9, 3, 11, 10])).toEqual([
    [3, 5],
    [9, 11],
  ]);
});

it("calculates like sets of positions", () => {
  fc.assert(
    fc.property(positions, positions, fc.integer({ min: -1, max: 41 }), (one, other, position) => {
      const [first, second] = [spansOf(one), spansOf(other)];
      const [ones, others] = [new Set(one), new Set(other)];

      expect(listOf(first)).toEqual(sorted(ones));
      expect(sizeOf(first)).toBe(ones.size);
      expect(listOf(joined([...first, ...second]))).toEqual(sorted(new Set([...one, ...other])));
      expect(listOf(after(first, position))).toEqual(sorted(ones).filter((at) => at > position));
      expect(listOf(shared(first, second))).toEqual(sorted(ones).filter((at) => others.has(at)));
      expect(listOf(without(first, second))).toEqual(sorted(ones).filter((at) => !others.has(at)));
      for (const spans of [first, joined([...first, ...second]), without(first, second)])
        expect(spans).toEqual(joined(spans));
    }),
    { numRuns: propertyRuns() },
  );
});

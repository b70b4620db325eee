import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { pack, unpack } from "../collections/pack.ts";
import { digestOf } from "../identity/digest.ts";
import type { JudgedStep } from "../step.ts";
import { addToTrail, createTrail, lapsOf, lapTells, leastRotation, periodOf, type Trail } from "./trail.ts";

const LONGEST = 24;

interface Case {
  readonly outcome?: string;
  readonly isProof?: boolean;
  readonly strength?: JudgedStep["exact"]["strength"];
  readonly from?: number;
  readonly tells?: number;
}

/** Adds a step of this name, as far as a trail looks at it. */
function add(trail: Trail, name: string | number, index: number, more: Case = {}): void {
  const { outcome = "the same outcome", isProof = false, strength = "exact", from = 0, tells = 0 } = more;
  const step = { call: digestOf(`${name}`), outcome: digestOf(outcome), index };
  addToTrail(trail, { step, isProof, exact: { strength }, tells } as JudgedStep, from);
}

function trailOf(names: Iterable<string | number>): Trail {
  const trail = createTrail();
  for (const [index, name] of [...names].entries()) add(trail, name, index);
  return trail;
}

const period = (trail: Trail, laps = 2, beyond = 0, shortest = 1) =>
  periodOf(trail, { shortest, longest: LONGEST, laps, beyond });

/** The shortest period at which the end of a list repeats, found the long way. */
function plainPeriod(names: readonly number[], laps: number, beyond: number): number {
  for (let length = 1; length <= LONGEST; length++) {
    const needed = (laps - 1) * length + beyond;
    const isRepeating = Array.from({ length: needed }, (_, at) => names.length - 1 - at).every(
      (at) => at - length >= 0 && names[at] === names[at - length],
    );
    if (isRepeating) return length;
  }
  return 0;
}

describe("a trail", () => {
  it("finds the shortest period", () => {
    expect(period(trailOf("abab"))).toBe(2);
    expect(period(trailOf("aaaa"))).toBe(1);
    expect(period(trailOf("aaaa"), 2, 0, 2)).toBe(2);
    expect(period(trailOf("abcabc"))).toBe(3);
    expect(period(trailOf("abcabd"))).toBe(0);
  });

  it("finds it at any rotation, and after anything else", () => {
    expect(period(trailOf("xyzbcabcab"), 2, 1)).toBe(3);
  });

  it("asks for the laps and the steps beyond them", () => {
    expect(period(trailOf("ababa"), 2, 1)).toBe(2);
    expect(period(trailOf("abab"), 2, 1)).toBe(0);
    expect(period(trailOf("ababa"), 3, 0)).toBe(0);
  });

  it("counts whole laps", () => {
    expect(lapsOf(trailOf("ababab"), 2)).toBe(3);
    expect(lapsOf(trailOf("abababa"), 2)).toBe(3);
  });

  it("tells outcomes apart", () => {
    const trail = createTrail();
    [..."abab"].forEach((name, index) => void add(trail, name, index, { outcome: `${index}` }));

    expect(period(trail)).toBe(0);
  });

  it("knows of each step whether it is proof, and whether it came back exactly", () => {
    const trail = createTrail();
    for (const [index, strength] of (["exact", "masked", "similar", "blind"] as const).entries())
      add(trail, "a", index, { strength, isProof: index === 0 });

    expect(trail).toMatchObject({
      indices: [0, 1, 2, 3],
      isProof: [true, false, false, false],
      isLoose: [false, true, true, false],
    });
  });

  it("tells as much as the steps of its latest lap together", () => {
    const trail = createTrail();
    [9, 1, 20, 3].forEach((tells, index) => void add(trail, "a", index, { tells }));

    expect([1, 2, 3, 4].map((length) => lapTells(trail, length))).toEqual([3, 23, 24, 33]);
  });

  it("starts again after what ended the streaks, and keeps what came after it", () => {
    const trail = trailOf("aaaa");
    add(trail, "a", 4, { from: 4 });
    expect(trail.indices).toEqual([4]);
    add(trail, "a", 5, { from: 4 });

    expect(trail.indices).toEqual([4, 5]);
  });

  it("stays as long as four laps of the longest period", () => {
    const trail = trailOf(Array.from({ length: 500 }, (_, at) => at % LONGEST));

    for (const list of Object.values(trail)) expect(list).toHaveLength(4 * LONGEST);
    expect([period(trail, 3), lapsOf(trail, LONGEST)]).toEqual([LONGEST, 4]);
  });

  it("finds what the long way finds", () => {
    const names = fc.array(fc.nat(2), { maxLength: 72 });
    const property = fc.property(names, fc.integer({ min: 2, max: 3 }), fc.nat(1), (list, laps, beyond) => {
      // Three laps of the longest period and a step beyond are more than is remembered.
      fc.pre(laps + beyond < 4);
      expect(period(trailOf(list), laps, beyond)).toBe(plainPeriod(list, laps, beyond));
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 10) });
  });

  it("goes on from where it was saved", () => {
    const names = fc.array(fc.nat(2), { maxLength: 60 });
    const property = fc.property(names, names, (before, after) => {
      const through = trailOf(before);
      const resumed = unpack(JSON.parse(JSON.stringify(pack(through)))) as Trail;
      after.forEach((name, at) => {
        for (const trail of [through, resumed]) add(trail, name, before.length + at);
        expect(period(resumed, 2, 1)).toBe(period(through, 2, 1));
      });
      expect(resumed).toEqual(through);
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
  });
});

describe("leastRotation", () => {
  const parts = fc.array(fc.string({ maxLength: 3 }), { minLength: 1, maxLength: 6 });

  it("is the same for every rotation, and a rotation itself", () => {
    const property = fc.property(parts, fc.nat(5), (list, turn) => {
      const shift = turn % list.length;
      const rotated = [...list.slice(shift), ...list.slice(0, shift)];
      const least = leastRotation(list);

      expect(leastRotation(rotated)).toEqual(least);
      expect(JSON.stringify([...list, ...list])).toContain(JSON.stringify(least).slice(1, -1));
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });

  it("does not take a list for its mirror", () => {
    expect(leastRotation(["a", "b", "c"])).not.toEqual(leastRotation(["c", "b", "a"]));
  });
});

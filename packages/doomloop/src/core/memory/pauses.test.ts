import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { pack, unpack } from "../collections/pack.ts";
import { createPace, endPause, isPause, type Pace } from "./pauses.ts";

/** A run whose latest result came just now, and that has taken these times to think. */
function paced(...gapsMs: number[]): Pace {
  const pace = createPace();
  endPause(pace, 0);
  for (const gapMs of gapsMs) isPause(pace, gapMs, true);
  return pace;
}

/** Whether a call that does nothing new, so long after the latest result, was held back. */
const isHeldBack = (pace: Pace, gapMs: number) => isPause(pace, (pace.lastAt ?? 0) + gapMs, false);
const many = (count: number, gapMs: number) => Array.from({ length: count }, () => gapMs);

describe("the time before a call", () => {
  it("is what passed since the latest result", () => {
    const pace = createPace();
    endPause(pace, 1000);
    endPause(pace, 3000);
    isPause(pace, 8000, true);

    expect(pace.gaps).toEqual([5000]);
  });

  it("is not known before a result, nor where the host does not say when", () => {
    const pace = createPace();
    expect(isPause(pace, 80_000, true)).toBe(false);
    endPause(pace, undefined);
    expect(isPause(pace, 80_000, true)).toBe(false);
    endPause(pace, 1000);
    expect(isPause(pace, undefined, true)).toBe(false);

    expect(pace.gaps).toEqual([]);
  });

  it("is not one where the clock runs backwards, and results come in any order", () => {
    const pace = createPace();
    endPause(pace, 5000);
    endPause(pace, 2000);
    isPause(pace, 1000, true);
    isPause(pace, 6000, true);

    expect(pace.gaps).toEqual([0, 1000]);
  });

  it("tells how long the run takes to think only where the call does something new", () => {
    const pace = paced();
    isPause(pace, 4000, false);
    isPause(pace, 3000, true);

    expect(pace.gaps).toEqual([3000]);
  });
});

describe("a pause", () => {
  it("is ten seconds while nothing is known of the run", () => {
    expect(isHeldBack(paced(), 10_000)).toBe(true);
    expect(isHeldBack(paced(), 9_999)).toBe(false);
  });

  it("is twice what the run takes to think: a slow model does not wait", () => {
    expect(isHeldBack(paced(...many(15, 20_000)), 39_999)).toBe(false);
    expect(isHeldBack(paced(...many(15, 20_000)), 40_000)).toBe(true);
  });

  it("is five seconds for the fastest run, and never less", () => {
    expect(isHeldBack(paced(...many(15, 100)), 5_000)).toBe(true);
    expect(isHeldBack(paced(...many(15, 100)), 4_999)).toBe(false);
  });

  it("is not told by one long thought", () => {
    expect(isHeldBack(paced(...many(9, 2_000), 600_000), 12_000)).toBe(true);
  });

  it("goes by what is assumed until as much is known", () => {
    expect(isHeldBack(paced(...many(2, 60_000)), 10_000)).toBe(true);
    expect(isHeldBack(paced(...many(3, 60_000)), 10_000)).toBe(false);
  });

  it("goes by the latest times", () => {
    expect(isHeldBack(paced(...many(15, 100), ...many(15, 60_000)), 90_000)).toBe(false);
  });

  it("is longer than any shorter one, and never below five seconds, whatever was learned", () => {
    const gaps = fc.array(fc.nat(120_000), { maxLength: 30 });
    const property = fc.property(gaps, fc.nat(300_000), fc.nat(300_000), (learned, one, other) => {
      const pace = paced(...learned);
      const [shorter, longer] = [Math.min(one, other), Math.max(one, other)];

      if (isHeldBack(pace, shorter)) expect(isHeldBack(pace, longer)).toBe(true);
      expect(isHeldBack(pace, Math.min(shorter, 4_999))).toBe(false);
      expect(isHeldBack(pace, Math.max(240_000, longer))).toBe(true);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("a pace at rest", () => {
  const saved = (pace: Pace) => unpack(JSON.parse(JSON.stringify(pack(pace)))) as Pace;

  it("goes on from where it was, in bounded memory", () => {
    const pace = paced(...many(200, 30_000));
    endPause(pace, 7000);
    const resumed = saved(pace);

    expect(pace.gaps).toHaveLength(15);
    expect(resumed).toEqual(pace);
    expect([59_999, 60_000].map((gapMs) => isHeldBack(resumed, gapMs))).toEqual([false, true]);
  });

  it("knows no time if the host says none", () => {
    expect(isPause(saved(createPace()), 80_000, false)).toBe(false);
  });
});

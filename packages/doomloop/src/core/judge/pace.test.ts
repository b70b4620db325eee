import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { propertyRuns } from "../../../../../test/property-runs.ts";
import { createPace, type Pace } from "./pace.ts";

/** A run that has taken these times to think. */
function paced(...gapsMs: number[]): Pace {
  const pace = createPace();
  for (const gapMs of gapsMs) pace.learn(gapMs);
  return pace;
}

const many = (count: number, gapMs: number) => Array.from({ length: count }, () => gapMs);

describe("the time before a call", () => {
  it("is what passed since the latest result", () => {
    const pace = createPace();
    pace.end(1000);
    pace.end(3000);

    expect(pace.begin(8000)).toBe(5000);
  });

  it("is not known before a result, nor where the host does not say when", () => {
    const pace = createPace();
    expect(pace.begin(8000)).toBeUndefined();
    pace.end(undefined);
    expect(pace.begin(8000)).toBeUndefined();
    pace.end(1000);

    expect(pace.begin(undefined)).toBeUndefined();
  });

  it("is none where the clock runs backwards, and results come in any order", () => {
    const pace = createPace();
    pace.end(5000);
    pace.end(2000);

    expect(pace.begin(1000)).toBe(0);
    expect(pace.begin(6000)).toBe(1000);
  });
});

describe("a pause", () => {
  it("is ten seconds while nothing is known of the run", () => {
    expect(paced().isPause(10_000)).toBe(true);
    expect(paced().isPause(9_999)).toBe(false);
  });

  it("is twice what the run takes to think: a slow model does not wait", () => {
    expect(paced(...many(15, 20_000)).isPause(39_999)).toBe(false);
    expect(paced(...many(15, 20_000)).isPause(40_000)).toBe(true);
  });

  it("is five seconds for the fastest run, and never less", () => {
    expect(paced(...many(15, 100)).isPause(5_000)).toBe(true);
    expect(paced(...many(15, 100)).isPause(4_999)).toBe(false);
  });

  it("is not told by one long thought", () => {
    expect(paced(...many(9, 2_000), 600_000).isPause(12_000)).toBe(true);
  });

  it("goes by what is assumed until as much is known", () => {
    expect(paced(...many(2, 60_000)).isPause(10_000)).toBe(true);
    expect(paced(...many(3, 60_000)).isPause(10_000)).toBe(false);
  });

  it("goes by the latest times", () => {
    const pace = paced(...many(15, 100));
    for (const gapMs of many(15, 60_000)) pace.learn(gapMs);

    expect(pace.isPause(90_000)).toBe(false);
  });

  it("is longer than any shorter one, and never below five seconds, whatever was learned", () => {
    const gaps = fc.array(fc.nat(120_000), { maxLength: 30 });
    const property = fc.property(gaps, fc.nat(300_000), fc.nat(300_000), (learned, one, other) => {
      const pace = paced(...learned);
      const [shorter, longer] = [Math.min(one, other), Math.max(one, other)];

      if (pace.isPause(shorter)) expect(pace.isPause(longer)).toBe(true);
      expect(pace.isPause(Math.min(shorter, 4_999))).toBe(false);
      expect(pace.isPause(Math.max(240_000, longer))).toBe(true);
    });
    fc.assert(property, { numRuns: propertyRuns() });
  });
});

describe("a pace at rest", () => {
  it("goes on from where it was, in bounded memory", () => {
    const pace = paced(...many(200, 30_000));
    pace.end(7000);
    const resumed = createPace(JSON.parse(JSON.stringify(pace.save())));

    expect(pace.save().gaps).toHaveLength(15);
    expect(resumed.begin(8000)).toBe(1000);
    expect([59_999, 60_000].map(resumed.isPause)).toEqual([false, true]);
  });

  it("knows no time where none was known", () => {
    expect(createPace(JSON.parse(JSON.stringify(createPace().save()))).begin(1)).toBeUndefined();
  });
});

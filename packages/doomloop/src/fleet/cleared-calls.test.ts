import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClearedCalls } from "./cleared-calls.ts";
import type { StoreNews } from "./store.ts";

const windowMs = 300_000;
const name = "abcdefghijklmnopqrstuv";

/** A line that is read at once: calls that were first counted at this time. */
const counted = (now: number, beganAt: number, calls = 5): StoreNews => ({
  ...{ name, tool: "fetch", calls, workers: 2, lastsMs: beganAt + windowMs - now, ageMs: 0 },
});
const cleared = (by?: string): StoreNews => ({ name, tool: "", calls: 0, workers: 0, lastsMs: 0, ageMs: 0, by });

describe("who cleared what", () => {
  it("is what processes say in the news", () => {
    const calls = createClearedCalls(windowMs);
    calls.take(counted(1000, 0), 1000);
    calls.take(cleared("one"), 2000);
    calls.take(counted(9000, 8000), 9000);
    calls.take(cleared("two"), 10_000);

    expect(calls.list(11_000)).toEqual([{ name, tool: "fetch", times: 2, unsaid: 0, by: ["one", "two"] }]);
    expect(calls.list(10_000 + windowMs)).toEqual([]);
  });

  it("is nobody's word if counts begin again although nobody cleared them", () => {
    const calls = createClearedCalls(windowMs);
    for (const beganAt of [0, 5000, 10_000]) calls.take(counted(beganAt + 1000, beganAt), beganAt + 1000);

    expect(calls.list(12_000)).toEqual([{ name, tool: "fetch", times: 2, unsaid: 2, by: [] }]);
  });

  it("is nobody's word if the store counts a suspect anew, once the news had time to tell why", () => {
    const calls = createClearedCalls(windowMs);
    const see = (now: number, beganAt: number) => calls.see({ name, lastsMs: beganAt + windowMs - now }, now);
    see(500, 400);
    calls.settle(600);
    calls.take(counted(1000, 0), 1000);
    see(5000, 4900);
    calls.settle(4000);
    expect(calls.list(6000)).toEqual([]);
    calls.settle(6000);
    expect(calls.list(6000)).toMatchObject([{ times: 1, unsaid: 1 }]);

    // It was seen after the counts were gone, and before their process said so.
    calls.take(counted(9000, 4900), 9000);
    see(20_000, 19_900);
    calls.take(cleared("one"), 21_000);
    calls.settle(30_000);
    expect(calls.list(30_000)).toMatchObject([{ times: 2, unsaid: 1, by: ["one"] }]);
  });

  it("says nothing about counts that nobody suspects yet: they are cleared without a word", () => {
    const calls = createClearedCalls(windowMs);
    for (const at of [0, 10_000, 20_000]) {
      calls.see({ name, lastsMs: windowMs }, at);
      calls.settle(at);
    }

    expect(calls.list(30_000)).toEqual([]);
  });

  it("is nothing while counts grow, arrive late or in another order, and when they have ended", () => {
    const calls = createClearedCalls(windowMs);
    calls.take(counted(1000, 0, 5), 1000);
    calls.take(counted(60_000, 900, 20), 60_000);
    calls.take(counted(60_100, -900, 10), 60_100);
    calls.take(counted(windowMs + 9000, windowMs + 2000), windowMs + 9000);

    expect(calls.list(windowMs + 9000)).toEqual([]);
  });

  it("is not read from a line that comes after the counts it tells of were cleared", () => {
    const calls = createClearedCalls(windowMs);
    calls.take(cleared("one"), 5000);
    calls.take(counted(5010, 3000), 5010);
    calls.take(counted(9000, 8000), 9000);

    expect(calls.list(10_000)).toMatchObject([{ times: 1, unsaid: 0 }]);
  });

  it("counts a line once if a store returns it again", () => {
    const calls = createClearedCalls(windowMs);
    const lines = [counted(1000, 0), cleared("one")] as const;
    for (const lateMs of [0, 3000]) for (const line of lines) calls.take({ ...line, ageMs: lateMs }, 2000 + lateMs);

    expect(calls.list(6000)).toMatchObject([{ times: 1, unsaid: 0 }]);
  });

  it("is bounded, whatever is in the news", () => {
    const line = fc.record({
      name: fc.integer({ min: 0, max: 600 }).map((number) => String(number).padStart(22, "0")),
      ...{ tool: fc.string(), calls: fc.nat(9), workers: fc.nat(9), by: fc.string() },
      ...{ lastsMs: fc.integer({ min: -1e6, max: 1e6 }), ageMs: fc.nat(1e6) },
    });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), (lines) => {
        const calls = createClearedCalls(windowMs);
        for (const [at, each] of lines.entries()) calls.take(each, at * 100);
        const listed = calls.list(lines.length * 100);

        expect(listed.length).toBeLessThanOrEqual(8);
        for (const { times, unsaid, by } of listed) {
          expect(times).toBeLessThanOrEqual(32);
          expect(unsaid).toBeLessThanOrEqual(times);
          expect(by.length).toBeLessThanOrEqual(8);
        }
      }),
    );
  });
});

import { createGuard, type GuardOptions } from "doomloop";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Doing, make, makeAll, newGuard, placesOf } from "../../../../../test/builders.ts";
import { propertyRuns } from "../../../../../test/property-runs.ts";

const read: Doing = { tool: "read_file", args: { path: "a.ts" }, output: "export const a = 1;" };
const act: Doing = { tool: "frobnicate", args: { on: true }, output: "ok" };
const fresh = (at: number): Doing => ({
  tool: "read_file",
  args: { path: `src/${at}.ts` },
  output: `export const part${at} = "${"x".repeat((at % 40) + 1)}";`,
});
const again = (count: number, doing = read): Doing[] => Array.from({ length: count }, () => doing);
/** What a guard says to an agent that makes one call over and over. */
const said = (count: number, doing = read, options: GuardOptions = {}) =>
  makeAll(newGuard(options), again(count, doing));

describe("words", () => {
  it("come at growing distances until the last ones", () => {
    expect(placesOf("nudge", said(9))).toEqual([2, 4, 8]);
    expect(said(9)[8]!.message).toContain("Last warning");
  });

  it("come once in a round, whatever else shows in it", () => {
    const guard = newGuard();
    const nudges = [0, 1, 2, 3].map(() => {
      guard.observe({ type: "round" });
      return makeAll(guard, [read, { ...read, args: { path: "b.ts" } }]).filter(({ action }) => action === "nudge")
        .length;
    });

    expect(Math.max(...nudges)).toBe(1);
  });
});

describe("a refusal", () => {
  it("comes at its level, and the end at the next, for what is clear", () => {
    expect([placesOf("block", said(30))[0], placesOf("stop", said(30))[0]]).toEqual([9, 19]);
  });

  it("comes later for what is not, and the end, too", () => {
    const decisions = said(90, act);

    expect(placesOf("block", decisions)[0]).toBeGreaterThan(9);
    expect(placesOf("stop", decisions)[0]).toBeLessThan(70);
  });

  it("lets an agent through that insists, at the third, sixth and twelfth", () => {
    const given = said(30, read, { ladder: ["nudge", "block"] }).slice(9);

    expect(placesOf("continue", given).map((at) => at + 1)).toEqual([3, 6, 12]);
  });

  it("is the same for all calls of one answer, and counts once", () => {
    const guard = newGuard();
    makeAll(guard, again(9));
    guard.observe({ type: "round" });
    const twins = ["a", "b", "c", "d"].map((id) =>
      guard.observe({ type: "call", id, tool: read.tool, args: read.args }),
    );

    expect(twins.map(({ action }) => action)).toEqual(["block", "block", "block", "block"]);
    guard.observe({ type: "round" });
    expect(make(guard, read).action).toBe("block");
  });

  it("lapses after something else that brings anything, and only for one call", () => {
    const guard = newGuard();
    makeAll(guard, again(10));

    expect(makeAll(guard, [fresh(1), read, read]).map(({ action }) => action)).toEqual([
      "continue",
      "continue",
      "block",
    ]);
  });

  it("is not for calls that the agent is not stuck at", () => {
    const guard = newGuard();
    makeAll(guard, again(12));

    expect(make(guard, { ...read, args: { path: "b.ts" } }).action).toBe("continue");
  });
});

describe("the end", () => {
  /** Doings that loop in some way, clear or not. */
  const loops = fc.constantFrom<Doing>(
    read,
    act,
    { tool: "search", args: { query: "retry policy" }, output: "No results." },
    { tool: "bash", args: { command: "npm test" }, output: "1 failed: expected 2, got 3", error: true },
    { tool: "get_order", args: { id: 7 }, output: "The order was shipped on Friday and will arrive on Monday." },
  );

  it("is never that of an agent which does something else whenever it is refused", () => {
    const property = fc.property(loops, fc.nat(1_000), (loop, seed) => {
      const guard = createGuard();
      for (let at = 0; at < 200; at++) {
        const { action } = make(guard, loop);
        expect(action).not.toBe("stop");
        if (action === "block") make(guard, fresh(seed + at));
      }
    });
    fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
  });

  it("is that of every agent which does nothing else", () => {
    const property = fc.property(loops, (loop) => {
      expect(placesOf("stop", makeAll(createGuard(), again(80, loop)))).not.toEqual([]);
    });
    fc.assert(property, { numRuns: 20 });
  });

  it("is put off by everything that the user says", () => {
    const guard = newGuard();
    for (let turn = 0; turn < 6; turn++) {
      expect(placesOf("stop", makeAll(guard, again(15)))).toEqual([]);
      guard.observe({ type: "user", text: `Number ${turn}.` });
    }
  });
});

describe("pressure", () => {
  it("is plain data of a bounded size", () => {
    const guard = newGuard({ ladder: ["nudge", "block"] });
    const sizes = [2_000, 4_000].map((count) => {
      makeAll(
        guard,
        Array.from({ length: count }, (_, at) => ({ ...read, args: { path: `${Math.floor(at / 5)}.ts` } })),
      );
      return JSON.stringify(guard.snapshot()).length;
    });

    expect(sizes[1]).toBeLessThan(1.25 * sizes[0]!);
  });
});

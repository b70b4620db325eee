import type { GuardOptions } from "doomloop";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Doing, make, makeAll, newGuard, placesOf } from "../../../../test/builders.ts";
import { propertyRuns } from "../../../../test/property-runs.ts";

const read: Doing = { tool: "read_file", args: { path: "a.ts" }, output: "export const a = 1;" };
const act: Doing = { tool: "frobnicate", args: { on: true }, output: "ok" };
const sleep: Doing = { tool: "sleep", args: { seconds: 60 } };
const wayOut: Doing = { tool: "finish", args: { reason: "I cannot do it." } };
const other: Doing = { tool: "read_file", args: { path: "docs/guide.md" }, output: "How to begin." };
const fresh = (at: number): Doing => ({
  ...other,
  args: { path: `src/${at}.ts` },
  output: `part ${"x".repeat(at % 40)}${at}`,
});
const again = (count: number, doing = read): Doing[] => Array.from({ length: count }, () => doing);
const said = (doings: readonly Doing[], options: GuardOptions = {}) => makeAll(newGuard(options), doings);
const actions = (...given: Parameters<typeof said>) => said(...given).map(({ action }) => action);
/** Doings that loop in some way, clear or not. */
const loops = fc.constantFrom<Doing>(
  read,
  act,
  { tool: "search", args: { query: "retry policy" }, output: "No results." },
  { tool: "bash", args: { command: "npm test" }, output: "1 failed: expected 2, got 3", error: true },
  { tool: "get_order", args: { id: 7 }, output: "The order was shipped on Friday and will arrive on Monday." },
);

it("refuses nothing and ends nothing where the ladder has no such rung", () => {
  expect(new Set(actions(again(80), { ladder: ["nudge"] }))).toEqual(new Set(["continue", "nudge"]));
  expect(placesOf("stop", said(again(60), { ladder: ["nudge", "stop"] }))[0]).toBeLessThan(30);
  expect(placesOf("stop", said(again(60), { ladder: ["stop"] }))).not.toEqual([]);
});

it("refuses and ends later what is not clear", () => {
  expect(placesOf("block", said(again(90, act)))[0]).toBeGreaterThan(9);
  expect(placesOf("stop", said(again(90, act)))[0]).toBeLessThan(70);
});

it("lets an agent through that insists, at the third, sixth and twelfth", () => {
  const given = said(again(30), { ladder: ["nudge", "block"] }).slice(9);

  expect(placesOf("continue", given).map((at) => at + 1)).toEqual([3, 6, 12]);
});

it("refuses all calls of one answer alike, and counts them once", () => {
  const guard = newGuard();
  makeAll(guard, again(9));
  guard.observe({ type: "round" });
  const twins = ["a", "b", "c", "d"].map((id) => guard.observe({ type: "call", id, ...read }).action);
  guard.observe({ type: "round" });

  expect([...twins, make(guard, read).action]).toEqual(Array(5).fill("block"));
});

it.each([fresh(1), sleep])("lets one call through after something else: %j", (between) => {
  expect(actions([...again(10), between, read, read]).slice(10)).toEqual(["continue", "continue", "block"]);
});

it("refuses no other call, and never the way out", () => {
  expect(actions([...again(12), other, wayOut, wayOut, wayOut]).slice(12)).toEqual(Array(4).fill("continue"));
});

it("never ends an agent which does something else whenever it is refused", () => {
  const property = fc.property(loops, fc.nat(1_000), (loop, seed) => {
    const guard = newGuard();
    for (let at = 0; at < 200; at++) {
      const { action } = make(guard, loop);
      expect(action).not.toBe("stop");
      if (action === "block") make(guard, fresh(seed + at));
    }
  });
  fc.assert(property, { numRuns: Math.ceil(propertyRuns() / 20) });
});

it("ends every agent which does nothing else", () => {
  const property = fc.property(loops, (loop) => {
    expect(actions(again(80, loop)).at(-1)).toBe("stop");
  });
  fc.assert(property, { numRuns: 20 });
});

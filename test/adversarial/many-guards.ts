import type { AgentEvent, Decision, Guard, GuardOptions, Snapshot } from "doomloop";
import fc from "fast-check";
import { expect } from "vitest";

/** Options under which a property must hold all the same. */
export const presets: fc.Arbitrary<GuardOptions> = fc.constantFrom<GuardOptions>(
  {},
  { preset: "aggressive" },
  { preset: "conservative", attended: true },
  { levels: { told: 2, refused: 3, ended: 4 } },
  { levels: { refused: 4, ended: 5 }, ladder: ["nudge", "restart", "stop"] },
  { ladder: ["nudge", "block"], patienceMs: 0 },
  { ladder: ["stop"] },
  { detectors: { "repeated-call": { threshold: 2 }, "same-outcome": { threshold: 2 }, "text-only": { threshold: 2 } } },
);

/** A snapshot as it comes back from where it was kept. */
export const kept = (guard: Guard): Snapshot => JSON.parse(JSON.stringify(guard.snapshot()));
/** The decisions on events in order. */
export const observeAll = (guard: Guard, events: readonly AgentEvent[]): Decision[] =>
  events.map((event) => guard.observe(event));

/** Equal as JSON; compared as text first, which is many times as fast. */
export function expectSame(got: unknown, expected: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(expected)) expect(got).toEqual(expected);
}

/** A word of letters only, another for every number: numbers alone are easily taken for counters. */
export function letters(number: number): string {
  let word = "";
  for (let left = number + 26; left > 0; left = Math.floor(left / 26)) word += "qzxjkvbpwygufmclrdhsntiaoe"[left % 26];
  return word;
}

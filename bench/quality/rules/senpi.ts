import { endsInLaps, holdsAt, range } from "./holds-at.ts";
import { canonicalText, type RecordedStep } from "./recorded-step.ts";

const SIMILAR_CALLS = 5;
const LIKENESS = 0.85;

/** senpi: three equal calls in a row, two to six calls in turn three times, or five calls in a row of one tool that are alike. */
export const senpi = holdsAt(
  (steps, at) =>
    endsInLaps(steps, at, { period: 1, laps: 3, identity: ({ key }) => key }) ||
    range(2, 6).some((period) => endsInLaps(steps, at, { period, laps: 3, identity: ({ key }) => key })) ||
    isAlike(steps, at),
);

function isAlike(steps: readonly RecordedStep[], at: number): boolean {
  if (!endsInLaps(steps, at, { period: 1, laps: SIMILAR_CALLS, identity: ({ tool }) => tool })) return false;
  const calls = steps.slice(at - SIMILAR_CALLS + 1, at + 1);
  if (new Set(calls.map(targetOf)).size === calls.length && calls.every((call) => targetOf(call) !== undefined))
    return false;
  const pairs = calls
    .slice(1)
    .map((call, before) => likeness(canonicalText(calls[before]!.args), canonicalText(call.args)));
  return pairs.reduce((sum, pair) => sum + pair, 0) / pairs.length >= LIKENESS;
}

/** Calls on different files are not alike. */
function targetOf({ args }: RecordedStep): unknown {
  const { path, file_path: file } = (typeof args === "object" && args !== null ? args : {}) as Record<string, unknown>;
  return path ?? file;
}

/** Dice's coefficient over pairs of characters. */
function likeness(one: string, other: string): number {
  if (one === other) return 1;
  if (one.length < 2 || other.length < 2) return 0;
  const counts = new Map<string, number>();
  for (let at = 0; at + 2 <= one.length; at++)
    counts.set(one.slice(at, at + 2), (counts.get(one.slice(at, at + 2)) ?? 0) + 1);
  let shared = 0;
  for (let at = 0; at + 2 <= other.length; at++) {
    const pair = other.slice(at, at + 2);
    const left = counts.get(pair) ?? 0;
    if (left === 0) continue;
    shared++;
    counts.set(pair, left - 1);
  }
  return (2 * shared) / (one.length + other.length - 2);
}

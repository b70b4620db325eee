import { pushLatest } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import type { JudgedStep } from "../step.ts";
import { TRAIL_LENGTH } from "./limits.ts";

/** The steps in order, as far back as cycles are looked for; plain data, place by place. */
export interface Trail {
  readonly calls: Digest[];
  readonly outcomes: Digest[];
  readonly indices: number[];
  /** The step came back exactly, and would have shown it if anything had happened. */
  readonly isProof: boolean[];
  /** The step did not come back exactly. */
  readonly isLoose: boolean[];
  /** How much the step tells of what came of it, in characters. */
  readonly tells: number[];
}

interface Wanted {
  readonly shortest: number;
  readonly longest: number;
  readonly laps: number;
  /** Steps into the next lap. */
  readonly beyond: number;
}

export function createTrail(): Trail {
  return { calls: [], outcomes: [], indices: [], isProof: [], isLoose: [], tells: [] };
}

/** Adds a step. Steps before the call of index `from` are forgotten: nothing repeats them. */
export function addToTrail(trail: Trail, { step, isProof, exact, tells }: JudgedStep, from: number): void {
  if ((trail.indices.at(-1) ?? from) < from) for (const list of Object.values(trail)) list.length = 0;
  pushLatest(trail.calls, step.call, TRAIL_LENGTH);
  pushLatest(trail.outcomes, step.outcome, TRAIL_LENGTH);
  pushLatest(trail.indices, step.index, TRAIL_LENGTH);
  pushLatest(trail.isProof, isProof, TRAIL_LENGTH);
  pushLatest(trail.isLoose, exact.strength === "masked" || exact.strength === "similar", TRAIL_LENGTH);
  pushLatest(trail.tells, tells, TRAIL_LENGTH);
}

/** The shortest period at which the latest steps repeat for the wanted laps and the steps beyond; 0 if there is none. */
export function periodOf(trail: Trail, { shortest, longest, laps, beyond }: Wanted): number {
  for (let period = shortest; period <= longest; period++) {
    const needed = (laps - 1) * period + beyond;
    if (repeatsFor(trail, period, needed) === needed) return period;
  }
  return 0;
}

/** How much one lap tells, in characters. */
export function lapTells({ tells }: Trail, period: number): number {
  return tells.slice(-period).reduce((sum, length) => sum + length, 0);
}

/** How many whole laps of this period the latest steps make. */
export function lapsOf(trail: Trail, period: number): number {
  return Math.floor(repeatsFor(trail, period, TRAIL_LENGTH) / period) + 1;
}

/** How many of the latest steps, up to `limit`, equal the one a period before. */
function repeatsFor({ calls, outcomes }: Trail, period: number, limit: number): number {
  let count = 0;
  for (let at = calls.length - 1; count < limit && at >= period; at--, count++)
    if (calls[at] !== calls[at - period] || outcomes[at] !== outcomes[at - period]) break;
  return count;
}

/** The rotation of a list that comes first in order. It is the same for every rotation of one list. */
export function leastRotation(parts: readonly string[]): readonly string[] {
  let best = parts;
  for (let shift = 1; shift < parts.length; shift++) {
    const rotated = [...parts.slice(shift), ...parts.slice(0, shift)];
    if (isBefore(rotated, best)) best = rotated;
  }
  return best;
}

function isBefore(one: readonly string[], other: readonly string[]): boolean {
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return one[at]! < other[at]!;
  return false;
}

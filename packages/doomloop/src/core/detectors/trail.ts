import { pushLatest } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import type { JudgedStep } from "../step.ts";

/** The steps in order, as far back as cycles are looked for; plain data, place by place. */
export interface Trail {
  readonly calls: Digest[];
  readonly outcomes: Digest[];
  readonly indices: number[];
  /** The step came back to the letter, and would have shown it if anything had happened. */
  readonly isProof: boolean[];
  /** The step did not come back to the letter. */
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

/** Three laps of the longest period, and as many steps beyond. */
const LENGTH = 96;

export function createTrail(): Trail {
  return { calls: [], outcomes: [], indices: [], isProof: [], isLoose: [], tells: [] };
}

/** Adds a step. Nothing that comes repeats what was before the call of index `from`. */
export function addToTrail(trail: Trail, { step, isProof, exact, tells }: JudgedStep, from: number): void {
  if ((trail.indices.at(-1) ?? from) < from) for (const list of Object.values(trail)) list.length = 0;
  pushLatest(trail.calls, step.call, LENGTH);
  pushLatest(trail.outcomes, step.outcome, LENGTH);
  pushLatest(trail.indices, step.index, LENGTH);
  pushLatest(trail.isProof, isProof, LENGTH);
  pushLatest(trail.isLoose, exact.strength === "masked" || exact.strength === "similar", LENGTH);
  pushLatest(trail.tells, tells, LENGTH);
}

/** The shortest period at which the latest steps have repeated for so many laps and some steps beyond; 0 if there is none. */
export function periodOf(trail: Trail, { shortest, longest, laps, beyond }: Wanted): number {
  for (let period = shortest; period <= longest; period++) {
    const needed = (laps - 1) * period + beyond;
    if (needed + period > trail.calls.length) return 0;
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
  return Math.floor(repeatsFor(trail, period, LENGTH) / period) + 1;
}

/** How many of the latest steps, up to `limit`, equal the one a period before. */
function repeatsFor({ calls, outcomes }: Trail, period: number, limit: number): number {
  let count = 0;
  for (let at = calls.length - 1; count < limit && at >= period; at--, count++)
    if (calls[at] !== calls[at - period] || outcomes[at] !== outcomes[at - period]) break;
  return count;
}

import { pushLatest } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import type { RunState } from "./run-state.ts";

/** One of the host's own measures of the world. */
export interface Measure {
  /** Values seen, the latest last. */
  readonly values: Digest[];
  /** When the world had last changed as the latest value was measured. */
  changedAt: number;
}

/** Measures that are compared, and values of each. */
export const MAX_MEASURES = 16;
const MAX_VALUES = 4;

/**
 * Notes a measure that the host took. Returns whether its value is new, and so progress.
 *
 * If the value is the same as before, what was taken for a change since then was none. Other measures' changes stay: each sees its own part
 * of the world.
 */
export function measure(run: RunState, key: string, value: Digest): boolean {
  const known = run.measures.get(key);
  if (known === undefined) {
    if (run.measures.size === MAX_MEASURES) run.hasMoreMeasures = true;
    else run.measures.set(key, { values: [value], changedAt: run.changedAt });
    return false;
  }
  if (known.values.at(-1) === value) {
    if (!run.hasMoreMeasures) run.changedAt = Math.min(run.changedAt, Math.max(known.changedAt, run.measuredAt));
    return false;
  }
  const at = known.values.indexOf(value);
  if (at >= 0) known.values.splice(at, 1);
  pushLatest(known.values, value, MAX_VALUES);
  if (at < 0) run.changedAt = run.measuredAt = run.calls;
  known.changedAt = run.changedAt;
  return at < 0;
}

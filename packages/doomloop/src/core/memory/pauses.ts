import { pushLatest } from "../collections/bounded.ts";
import { MAX_GAPS, PAUSE_TIMES_MEDIAN, PRIOR_GAPS_MS, SHORTEST_PAUSE_MS } from "./limits.ts";

/**
 * How fast the run goes: the times from a result to the next call, if that call is new.
 *
 * A pause is measured against the run's own pace. A model that thinks for twenty seconds does not wait if it asks again after twenty.
 */
export interface Pace {
  readonly gaps: number[];
  lastAt: number | undefined;
}

export function createPace(): Pace {
  return { gaps: [], lastAt: undefined };
}

/** Notes the time of a call, and returns whether it comes after a pause. New calls show how long the run takes to think. */
export function isPause(pace: Pace, at: number | undefined, isNewCall: boolean): boolean {
  if (at === undefined || pace.lastAt === undefined) return false;
  const gapMs = Math.max(0, at - pace.lastAt);
  if (isNewCall) pushLatest(pace.gaps, gapMs, MAX_GAPS);
  return gapMs >= SHORTEST_PAUSE_MS && gapMs >= PAUSE_TIMES_MEDIAN * medianMs(pace);
}

/** Whether the run itself has shown how fast it goes. */
export function isKnown({ gaps }: Pace): boolean {
  return gaps.length > PRIOR_GAPS_MS.length;
}

/** Notes the time of a result. */
export function endPause(pace: Pace, at: number | undefined): void {
  if (at !== undefined) pace.lastAt = Math.max(at, pace.lastAt ?? at);
}

function medianMs({ gaps }: Pace): number {
  const all = [...gaps, ...PRIOR_GAPS_MS].sort((one, other) => one - other);
  return all[(all.length - 1) >> 1]!;
}

import type { AgentEvent } from "../../core/event.ts";

const LONGEST_GAP_MS = 30 * 86_400_000;

/**
 * The times of events, counted from the earliest of them: only what lies between them is looked at. A gap is at most 30 days long, so that a single
 * time of another kind, such as 0, does not tell when all others were.
 */
export function relativeTimes(events: readonly AgentEvent[]): ReadonlyMap<unknown, number> {
  const sorted = events
    .map((event) => (event as { readonly at?: unknown }).at)
    .filter((at): at is number => typeof at === "number" && Number.isFinite(at))
    .sort((one, other) => one - other);
  const times = new Map<unknown, number>();
  let time = 0;
  let before = sorted[0];
  for (const at of sorted) {
    time += Math.min(at - before!, LONGEST_GAP_MS);
    before = at;
    times.set(at, time);
  }
  return times;
}

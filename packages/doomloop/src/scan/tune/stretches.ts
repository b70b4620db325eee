import type { LoopSummary } from "../report/report.ts";

/** Some calls of a session, the first and the last. */
export type Place = Pick<LoopSummary, "session" | "onset" | "end">;

/** Calls about which the guard spoke. Findings that overlap or touch are one stretch: a person judges it once. */
export interface Stretch extends Place {
  /** The worst first. */
  readonly loops: readonly LoopSummary[];
}

/** Joins loops, which come worst first, into stretches, worst first. */
export function stretchesOf(loops: readonly LoopSummary[]): readonly Stretch[] {
  const places: (Place & { end: number })[] = [];
  for (const { session, onset, end } of [...loops].sort((one, other) => one.onset - other.onset)) {
    const touched = places.findLast((place) => place.session === session && onset <= place.end + 1);
    if (touched === undefined) places.push({ session, onset, end });
    else touched.end = Math.max(touched.end, end);
  }
  return places
    .map((place) => ({ ...place, loops: loops.filter((loop) => isSamePlace(loop, place)) }))
    .sort((one, other) => loops.indexOf(one.loops[0]!) - loops.indexOf(other.loops[0]!));
}

/** Whether two places have a call in common. */
export function isSamePlace(one: Place, other: Place): boolean {
  return one.session === other.session && one.onset <= other.end && one.end >= other.onset;
}

/**
 * Why a repeat does not count as evidence of a loop.
 *
 * `new-outcome`: the call never returned this before · `changed-world`: something was changed in between · `user-spoke` ·
 * `news-in-lap`: the calls in between bring something new, lap after lap · `waiting`: it comes after a pause, or asks for time ·
 * `sampling`: a value or a measurement, or the user asked for this many calls · `same-round`: made in parallel with an identical call ·
 * `compaction`: the first look after the conversation was compacted · `says-nothing`: "ok" or nothing, from a call that may have acted.
 */
export type Reason =
  | "new-outcome"
  | "changed-world"
  | "user-spoke"
  | "news-in-lap"
  | "waiting"
  | "sampling"
  | "same-round"
  | "compaction"
  | "says-nothing";

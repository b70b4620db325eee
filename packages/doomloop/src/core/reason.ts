/**
 * Why a repeat does not count as evidence of a loop.
 *
 * `new-outcome`: the call never came back with this before · `changed-world`: something was changed in between · `user-spoke` ·
 * `news-in-lap`: what lies between brings something new, lap after lap · `waiting`: it comes after a pause, or asks for time ·
 * `sampling`: a value or a measurement, or asked for as often as somebody said · `same-round`: asked together with its equal ·
 * `compaction`: the first look after the conversation was compacted · `says-nothing`: "ok", or nothing, of a call that may have acted.
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

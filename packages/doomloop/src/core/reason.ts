/**
 * Why a repeat is no evidence of a loop.
 *
 * `new-outcome`: the call never came back with this before · `changed-world`: something was changed in between · `user-spoke` ·
 * `news-in-lap`: what lies between brings something new, lap after lap · `waiting`: it comes after a pause, or asks for time ·
 * `sampling`: asked several times on purpose, with answers that vary · `same-round`: asked together with its equal · `compaction`: the
 * first look after the conversation was compacted · `says-nothing`: "ok" of a call that acts, with other calls in between.
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

import type { Step } from "../step.ts";

/** A run in which no result was ever seen is taken for blind only after this many calls. */
const BLIND_AFTER = 8;

/** Whether it is too early to take a run for blind in which no result has come so far. */
export function mayYetSee({ isBlindByInference, index }: Step): boolean {
  return isBlindByInference && index < BLIND_AFTER - 1;
}

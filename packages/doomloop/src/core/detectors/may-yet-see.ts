import type { JudgedStep } from "../step.ts";

/** A run in which no result was ever seen is taken for blind only after this many calls. */
const BLIND_AFTER = 8;

/** Whether it is too early to take a run for blind in which no result has come so far. */
export function mayYetSee({ blindness, step }: JudgedStep): boolean {
  return blindness === "inferred" && step.index < BLIND_AFTER - 1;
}

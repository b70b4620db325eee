import type { Clock } from "./clock.ts";

/** A number that the project holds itself to, as it was measured. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly goal: number;
  /** What a check holds it to where the goal is not reached yet, so that it does not get worse unnoticed. */
  readonly limit?: number;
  readonly unit: "x" | "ms" | "KB";
  /** How the number came about. */
  readonly detail: string;
}

/** Takes one measurement. */
export type Bench = (clock: Clock) => Goal;

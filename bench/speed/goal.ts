import type { Clock } from "./clock.ts";

/** A number that the project holds itself to, as it was measured. */
export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly goal: number;
  readonly unit: "x" | "ms";
  /** How the number came about. */
  readonly detail: string;
}

/** Takes one measurement. */
export type Bench = (clock: Clock) => Goal;

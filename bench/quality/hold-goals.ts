import { type Goal, goals } from "./goals.ts";
import type { Figure, Instrument } from "./instruments/instrument.ts";
import { OURS } from "./judged-run.ts";

/** A goal, and how far we are. */
export interface HeldGoal extends Goal {
  /** Undefined where the instrument had nothing to look at. */
  readonly measured: Figure | undefined;
  readonly isReached: boolean;
}

/** Holds what was measured against the goals. */
export function holdGoals(instruments: readonly Instrument[]): HeldGoal[] {
  return goals.map((goal) => {
    const measured = instruments
      .find(({ name }) => name === goal.instrument)
      ?.figures.find(({ name }) => name === goal.figure);
    return { ...goal, measured, isReached: measured !== undefined && isReached(measured, goal.bound) };
  });
}

function isReached({ better, values }: Figure, bound: number): boolean {
  const value = values[OURS];
  if (value === undefined) return false;
  return better === "more" ? value >= bound : value <= bound;
}

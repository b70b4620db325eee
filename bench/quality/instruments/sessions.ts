import type { JudgedRun } from "../judged-run.ts";
import { everyFigure, type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const COUNT: FigureKind = { unit: "count", better: "less", tolerance: 0 };

/** People at work with coding agents, none of them seen to go in circles: every word is suspect. */
export function sessionsInstrument(runs: readonly JudgedRun[]): Instrument {
  const count = (holds: (run: JudgedRun) => boolean): number => runs.filter(holds).length;
  return {
    name: "real sessions",
    data: `${runs.length} sessions`,
    size: runs.length,
    figures: [
      everyFigure("spoken to", COUNT, runs, (detector) => count(({ spokeAt }) => spokeAt[detector]!.length > 0)),
      ourFigure(
        "refused or ended",
        COUNT,
        count(({ isBlocked }) => isBlocked),
      ),
      ourFigure(
        "ended",
        COUNT,
        count(({ isStopped }) => isStopped),
      ),
    ],
  };
}

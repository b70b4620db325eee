import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Measurement, Successes } from "./measure.ts";
import type { Score } from "./score-windows.ts";

/** How far precision, recall and F1 may fall below the committed figures. */
const SCORE_TOLERANCE = 0.02;
/** How far the share of successes nudged may rise over them: 0.2 percentage points. */
const NUDGED_TOLERANCE = 0.002;

/** What is kept of a measurement of the balanced preset. */
export interface Figures {
  readonly windows: number;
  readonly loops: number;
  readonly score: Score;
  readonly successes: Successes;
}

const PATH = join(import.meta.dirname, "figures.json");

export function figuresOf({ windows, loops, detectors, successes }: Measurement): Figures {
  return { windows, loops, score: detectors[0]!.score, successes };
}

export function readFigures(): Figures {
  return JSON.parse(readFileSync(PATH, "utf8")) as Figures;
}

export function writeFigures(figures: Figures): void {
  writeFileSync(PATH, `${JSON.stringify(figures, undefined, 2)}\n`);
}

/** In which ways a measurement is worse than what was committed; none if it is not. */
export function findLosses(measured: Figures, committed: Figures): string[] {
  if (measured.windows !== committed.windows || measured.successes.runs !== committed.successes.runs)
    return ["other labels or runs than those of the committed figures: --write commits new ones"];
  const losses = (["precision", "recall", "f1"] as const).filter(
    (name) => measured.score[name] < committed.score[name] - SCORE_TOLERANCE,
  );
  const lost = losses.map((name) => `${name}: ${describe(measured.score[name], committed.score[name])}`);
  const [now, before] = [measured.successes.nudged, committed.successes.nudged];
  return now > before + NUDGED_TOLERANCE ? [...lost, `share of successes nudged: ${describe(now, before)}`] : lost;
}

function describe(now: number, before: number): string {
  return `${now.toFixed(4)}, committed ${before.toFixed(4)}`;
}

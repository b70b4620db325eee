import type { JudgedRun } from "../judged-run.ts";
import { shareOf } from "../share.ts";
import { type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const SHARE: FigureKind = { unit: "share", better: "more", tolerance: 0.02 };

/** Recorded rows of equal calls with equal results that go on: are they ended? */
export function rowsInstrument(runs: readonly JudgedRun[]): Instrument {
  const rows = runs.flatMap(({ isRowEnded }) => (isRowEnded === undefined ? [] : [isRowEnded]));
  return {
    name: "rows",
    data: `${rows.length} recorded runs with at least 8 equal calls and results in a row, which goes on to 16`,
    size: rows.length,
    figures: [
      ourFigure(
        "ended",
        SHARE,
        shareOf(rows, (isEnded) => isEnded),
      ),
    ],
  };
}

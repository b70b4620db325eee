import type { JudgedRun } from "../judged-run.ts";
import { shareOf } from "../share.ts";
import type { RowBite } from "../teeth/bite-of.ts";
import { type Figure, type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const SHARE: FigureKind = { unit: "share", better: "more", tolerance: 0.02 };

/** Recorded rows of equal calls with equal results that go on: are they spoken to, refused, and ended? */
export function rowsInstrument(runs: readonly JudgedRun[]): Instrument {
  const rows = runs.flatMap(({ row }) => (row === undefined ? [] : [row]));
  const figure = (name: string, field: keyof RowBite): Figure =>
    ourFigure(
      name,
      SHARE,
      shareOf(rows, (row) => row[field]),
    );
  return {
    name: "rows",
    data: `${rows.length} recorded runs with at least 8 equal calls and results in a row, which goes on to 30`,
    size: rows.length,
    figures: [
      figure("spoken to by the 8th", "isSpokenTo"),
      figure("refused by the 12th", "isRefused"),
      figure("ended by the 30th", "isEnded"),
    ],
  };
}

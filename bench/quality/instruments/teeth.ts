import type { JudgedRun } from "../judged-run.ts";
import { shareOf } from "../share.ts";
import { type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const SHARE: FigureKind = { unit: "share", better: "more", tolerance: 0.02 };

/** Everyday loops beyond argument that go on: are they refused, and ended? */
export function teethInstrument(runs: readonly JudgedRun[]): Instrument {
  const bites = runs.flatMap(({ bite }) => (bite === undefined ? [] : [bite]));
  return {
    name: "teeth",
    data: `${bites.length} everyday loops that go on`,
    size: bites.length,
    figures: [
      ourFigure(
        "refused within 16 calls",
        SHARE,
        shareOf(bites, ({ isRefused }) => isRefused),
      ),
      ourFigure(
        "ended within 40 calls",
        SHARE,
        shareOf(bites, ({ isEnded }) => isEnded),
      ),
    ],
  };
}

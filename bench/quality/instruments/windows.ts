import type { Measurement } from "../measure.ts";
import type { Score } from "../score-windows.ts";
import type { Figure, FigureKind, Instrument } from "./instrument.ts";

const RATIO: FigureKind = { unit: "ratio", better: "more", tolerance: 0.02 };
const DELAY: FigureKind = { unit: "calls", better: "less", tolerance: 1 };

/** Stretches of recorded runs that somebody judged: are the loops among them found, and the others left alone? */
export function windowsInstrument({ detectors, windows, loops }: Measurement, title = "recorded windows"): Instrument {
  const figure = (name: string, field: keyof Score, kind: FigureKind): Figure => ({
    name,
    ...kind,
    values: Object.fromEntries(detectors.map((each) => [each.name, each.score[field]])),
  });
  return {
    name: title,
    data: `${windows} windows, ${loops} of them loops`,
    size: windows,
    figures: [
      figure("precision", "precision", RATIO),
      figure("recall", "recall", RATIO),
      figure("F1", "f1", RATIO),
      figure("median delay in calls", "medianDelay", DELAY),
    ],
  };
}

import type { Measurement } from "../measure.ts";
import { type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

/** The tolerance is 0.2 percentage points. */
const SHARE: FigureKind = { unit: "share", better: "less", tolerance: 0.002 };

/** Recorded runs that reached their goal: how often are they disturbed? */
export function successesInstrument({ detectors, successes }: Measurement, title = "successes"): Instrument {
  const spoken = detectors.map(({ name, successesAlarmed }) => [name, successesAlarmed]);
  return {
    name: title,
    data: `${successes.runs} runs`,
    size: successes.runs,
    figures: [
      { name: "spoken to", ...SHARE, values: Object.fromEntries(spoken) as Record<string, number> },
      ourFigure("refused or ended", SHARE, successes.blocked),
      ourFigure("ended", SHARE, successes.stopped),
    ],
  };
}

import type { Instrument } from "../instruments/instrument.ts";
import type { FigureCompared } from "./compare-figures.ts";
import type { RunsCompared } from "./compare-runs.ts";

/** What becomes of the figures without a mechanism, or without several at once. */
export interface Earning {
  readonly name: string;
  /** Lines of core that it takes. */
  readonly lines: number;
  /** What is measured without it. */
  readonly instruments: readonly Instrument[];
  readonly runs: RunsCompared;
  /** Those that differ. */
  readonly figures: readonly FigureCompared[];
  /** Faults inside the guard without it: then nothing else here means anything. */
  readonly faults: number;
}

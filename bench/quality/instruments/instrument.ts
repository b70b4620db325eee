import { type JudgedRun, OURS } from "../judged-run.ts";

/** How a figure is told and held. */
export interface FigureKind {
  /** `ratio` from 0 to 1 · `share` of runs, from 0 to 1, told in percent · `count` of runs · `calls`. */
  readonly unit: "ratio" | "share" | "count" | "calls";
  readonly better: "more" | "less";
  /** How far it may be worse than the committed one. */
  readonly tolerance: number;
}

/** One figure of every detector that has it. */
export interface Figure extends FigureKind {
  readonly name: string;
  /** By the detector's name. Rules that only speak have none of what only a guard does. */
  readonly values: Readonly<Record<string, number | undefined>>;
}

/** One way to look at detectors, with all its figures. */
export interface Instrument {
  readonly name: string;
  /** What was looked at, in words. */
  readonly data: string;
  /** How much was looked at: figures over other data are not compared. */
  readonly size: number;
  readonly figures: readonly Figure[];
}

/** A figure that every detector has which was asked about these runs. */
export function everyFigure(
  name: string,
  kind: FigureKind,
  runs: readonly JudgedRun[],
  figureOf: (detector: string) => number,
): Figure {
  const detectors = Object.keys(runs[0]?.spokeAt ?? {});
  return { name, ...kind, values: Object.fromEntries(detectors.map((detector) => [detector, figureOf(detector)])) };
}

/** A figure that only our guard has. */
export function ourFigure(name: string, kind: FigureKind, value: number): Figure {
  return { name, ...kind, values: { [OURS]: value } };
}

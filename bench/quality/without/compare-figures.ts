import type { Figure, Instrument } from "../instruments/instrument.ts";
import { OURS } from "../judged-run.ts";

/** A figure of ours that is another one without a mechanism. */
export interface FigureCompared extends Pick<Figure, "name" | "unit"> {
  readonly instrument: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly isWorse: boolean;
}

/** Our figures that differ, in their order. */
export function compareFigures(before: readonly Instrument[], after: readonly Instrument[]): FigureCompared[] {
  return before.flatMap(({ name: instrument, figures }) => {
    const others = after.find(({ name }) => name === instrument)?.figures ?? [];
    return figures.flatMap(({ name, unit, better, values }) => {
      const one = values[OURS];
      const other = others.find((each) => each.name === name)?.values[OURS];
      if (one === other) return [];
      const isLess = (other ?? 0) < (one ?? 0);
      return [{ instrument, name, unit, before: one, after: other, isWorse: isLess === (better === "more") }];
    });
  });
}

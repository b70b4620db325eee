import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure, Instrument } from "./instruments/instrument.ts";
import { OURS } from "./judged-run.ts";
import { shortName } from "./report/instruments-to-markdown.ts";
import { inUnit } from "./report/units.ts";

/** What is kept of a measurement of the balanced preset, by instrument and name. The pages of the docs are written from it. */
export type Figures = Readonly<Record<string, CommittedInstrument>>;

interface CommittedInstrument {
  /** How much was looked at, as a number and in words. */
  readonly size: number;
  readonly data: string;
  /** Ours. */
  readonly figures: Readonly<Record<string, number>>;
  /** Everybody's, as they are shown: by figure, then by the detector's short name. */
  readonly shown: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const PATH = join(import.meta.dirname, "figures.json");

export function figuresOf(instruments: readonly Instrument[]): Figures {
  return Object.fromEntries(
    instruments.map(({ name, size, data, figures }) => {
      const ours = Object.fromEntries(figures.map((figure) => [figure.name, figure.values[OURS]!]));
      const shown = Object.fromEntries(figures.map((figure) => [figure.name, shownOf(figure)]));
      return [name, { size, data, figures: ours, shown }];
    }),
  );
}

function shownOf({ values, unit }: Figure): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [shortName(name), inUnit(value, unit)]));
}

export function readFigures(): Figures {
  return JSON.parse(readFileSync(PATH, "utf8")) as Figures;
}

/** Replaces what was measured, and keeps the figures of instruments that had nothing to look at here. */
export function writeFigures(measured: Figures): void {
  writeFileSync(PATH, `${JSON.stringify({ ...readFigures(), ...measured }, undefined, 2)}\n`);
}

/** The instruments whose committed figures cannot be held here. */
export function findAbsent(instruments: readonly Instrument[], committed: Figures): string[] {
  return Object.keys(committed).filter((name) => !instruments.some((each) => each.name === name));
}

/** In which ways a measurement is worse than what was committed; none if it is not. */
export function findLosses(instruments: readonly Instrument[], committed: Figures): string[] {
  return instruments.flatMap(({ name, size, figures }) => {
    const before = committed[name];
    if (before?.size !== size)
      return [`${name}: other data than that of the committed figures: --write commits new ones`];
    return figures.flatMap((figure) => findLoss(figure, before.figures[figure.name]).map((loss) => `${name}, ${loss}`));
  });
}

function findLoss({ name, better, tolerance, values }: Figure, before: number | undefined): string[] {
  const now = values[OURS];
  if (now === undefined || before === undefined) return [];
  const loss = better === "more" ? before - now : now - before;
  return loss > tolerance ? [`${name}: ${describe(now)}, committed ${describe(before)}`] : [];
}

function describe(value: number): string {
  return Number.isInteger(value) ? `${value}` : value.toFixed(4);
}

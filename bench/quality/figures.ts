import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Figure, Instrument } from "./instruments.ts";
import { OURS } from "./judge-run.ts";
import { inUnit, shortName } from "./report.ts";

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

/** A goal, and how far we are. A goal that is not reached fails nothing: what is worse than committed does. */
export interface HeldGoal {
  readonly instrument: string;
  readonly figure: string;
  readonly bound: number;
  /** Undefined where the instrument had nothing to look at. */
  readonly measured: Figure | undefined;
  readonly isReached: boolean;
}

const PATH = join(import.meta.dirname, "figures.json");

const SUCCESSES = { "spoken to": 0.02, "refused or ended": 0.003, ended: 0 };
const VARIANTS = Object.fromEntries(
  ["tools renamed", "no clock", "no rounds", "no clock, no rounds"].flatMap((variant) => [
    [`${variant}: refused or ended`, 0],
    [`${variant}: ended`, 0],
  ]),
);
const everyday = (innocents: number, loops: number): Readonly<Record<string, number>> => ({
  "innocents spoken to": innocents,
  "innocents refused": 0,
  "innocents ended": 0,
  "arguable ones refused or ended": 0,
  "words per innocent spoken to, median": 2,
  "words per innocent spoken to, most": 5,
  "loops found in time": loops,
});

/** Where we want to be, by instrument and figure. Whether a figure is to be at least or at most its bound, the figure itself knows. */
const GOALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "recorded windows": { precision: 0.94, recall: 0.8, "median delay in calls": 0 },
  "later windows, a + d": { precision: 0.88, recall: 0.7 },
  "later windows": { F1: 0.8 },
  successes: SUCCESSES,
  "later successes": SUCCESSES,
  "real sessions": { "spoken to": 4, "refused or ended": 0, ended: 0 },
  "everyday, set 1": everyday(0.04, 0.85),
  "everyday, set 2": everyday(0.04, 0.82),
  "everyday, set 3": everyday(0.04, 0.72),
  "everyday, set 8": everyday(0.15, 0.6),
  "everyday variants": VARIANTS,
  "session variants": VARIANTS,
  rows: { "spoken to by the 8th": 0.98, "ended by the 30th": 0.9 },
  "plain loops": Object.fromEntries(
    ["usual", "fast", "slow", "no clock, no rounds, no flags"].flatMap((host) => [
      [`${host}: refused by 35, ended by 70`, 1],
      [`${host}: clear ones by 10, 20`, 1],
    ]),
  ),
  "reactions, honest": Object.fromEntries(
    ["waits", "looks", "insists"].flatMap((reaction) => [
      [`${reaction}: refused`, 0.02],
      [`${reaction}: ended`, reaction === "insists" ? 0.003 : 0],
    ]),
  ),
  "reactions, stuck": { "repeats: ended": 0.95 },
  "honest series": { "items: ended within the calls asked for": 0 },
};

/** Holds what was measured against the goals. */
export function holdGoals(instruments: readonly Instrument[]): HeldGoal[] {
  return Object.entries(GOALS).flatMap(([instrument, bounds]) =>
    Object.entries(bounds).map(([figure, bound]) => {
      const figures = instruments.find(({ name }) => name === instrument)?.figures;
      const measured = figures?.find(({ name }) => name === figure);
      return { instrument, figure, bound, measured, isReached: isReached(measured, bound) };
    }),
  );
}

function isReached(measured: Figure | undefined, bound: number): boolean {
  const value = measured?.values[OURS];
  return value !== undefined && (measured?.better === "more" ? value >= bound : value <= bound);
}

export function readFigures(): Figures {
  return JSON.parse(readFileSync(PATH, "utf8")) as Figures;
}

/** Replaces what was measured, and keeps the figures of instruments that had nothing to look at here. */
export function writeFigures(instruments: readonly Instrument[]): void {
  const measured = instruments.map(({ name, size, data, figures }): [string, CommittedInstrument] => {
    const ours = Object.fromEntries(figures.map((figure) => [figure.name, figure.values[OURS]!]));
    const shown = Object.fromEntries(figures.map((figure) => [figure.name, shownOf(figure)]));
    return [name, { size, data, figures: ours, shown }];
  });
  writeFileSync(PATH, `${JSON.stringify({ ...readFigures(), ...Object.fromEntries(measured) }, undefined, 2)}\n`);
}

function shownOf({ values, unit }: Figure): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [shortName(name), inUnit(value, unit)]));
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
  const [is, was] = [now, before].map((value) => (Number.isInteger(value) ? `${value}` : value.toFixed(4)));
  return loss > tolerance ? [`${name}: ${is}, committed ${was}`] : [];
}

import type { LoopExpectation } from "../everyday/expectation.ts";
import { type InnocentScore, scoreInnocent } from "../everyday/score-innocent.ts";
import { type LoopScore, scoreLoop } from "../everyday/score-loop.ts";
import type { JudgedRun } from "../judged-run.ts";
import { shareOf } from "../share.ts";
import { everyFigure, type Figure, type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const COUNT: FigureKind = { unit: "count", better: "less", tolerance: 0 };
const LESS: FigureKind = { unit: "share", better: "less", tolerance: 0.02 };
const WORDS: FigureKind = { unit: "count", better: "less", tolerance: 1 };
const MORE: FigureKind = { ...LESS, better: "more" };

/** Invented runs with today's tools: is honest repetition left alone, and are loops found in time? */
export function everydayInstrument(name: string, runs: readonly JudgedRun[]): Instrument {
  const expected = (expect: string): JudgedRun[] => runs.filter(({ expectation }) => expectation?.expect === expect);
  const [silent, arguable, loops] = [expected("silent"), expected("nudge-at-most"), expected("spoken")];

  const innocents = (figure: string, among: readonly JudgedRun[], field: keyof InnocentScore): Figure =>
    ourFigure(figure, COUNT, among.filter(({ decisions }) => scoreInnocent(decisions)[field]).length);
  const found = (figure: string, kind: FigureKind, holds: (score: LoopScore) => boolean): Figure =>
    everyFigure(figure, kind, runs, (detector) =>
      shareOf(loops, ({ expectation, spokeAt }) =>
        holds(scoreLoop(expectation as LoopExpectation, spokeAt[detector]!)),
      ),
    );

  const words = silent
    .map(({ decisions }) => decisions.length)
    .filter((count) => count > 0)
    .sort((one, other) => one - other);

  return {
    name,
    data: `${silent.length} innocent runs, ${arguable.length} in which a nudge is arguable, ${loops.length} loops`,
    size: runs.length,
    figures: [
      everyFigure("innocents spoken to", LESS, runs, (detector) =>
        shareOf(silent, ({ spokeAt }) => spokeAt[detector]!.length > 0),
      ),
      innocents("innocents refused", silent, "isBlocked"),
      innocents("innocents ended", silent, "isStopped"),
      innocents("arguable ones refused or ended", arguable, "isTooHard"),
      ourFigure("words per innocent spoken to, median", WORDS, words[(words.length - 1) >> 1] ?? 0),
      ourFigure("words per innocent spoken to, most", WORDS, words.at(-1) ?? 0),
      found("loops found in time", MORE, ({ verdict }) => verdict === "found"),
      found("loops found late", LESS, ({ verdict }) => verdict === "late"),
      found("loops missed", LESS, ({ verdict }) => verdict === "missed"),
      found("loops spoken to early", LESS, ({ isEarly }) => isEarly),
    ],
  };
}

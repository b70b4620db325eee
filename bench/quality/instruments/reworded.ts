import type { QuickRun } from "../../quick/quick-run.ts";
import type { LoopExpectation } from "../everyday/expectation.ts";
import { scoreLoop } from "../everyday/score-loop.ts";
import { shareOf } from "../share.ts";
import { type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const LESS: FigureKind = { unit: "share", better: "less", tolerance: 0.02 };
const MORE: FigureKind = { ...LESS, better: "more" };

/** The everyday runs with other names for tools and other words in answers: how much hangs on words? */
export function rewordedInstrument(runs: readonly QuickRun[]): Instrument {
  const expected = (isLoop: boolean): QuickRun[] =>
    runs.filter(({ expectation }) => (expectation?.expect === "spoken") === isLoop);
  const [honest, loops] = [expected(false), expected(true)];
  const silent = honest.filter(({ expectation }) => expectation?.expect === "silent");
  const isFound = ({ expectation, words }: QuickRun): boolean => {
    const calls = words.map(({ call }) => call);
    return scoreLoop(expectation as LoopExpectation, calls).verdict === "found";
  };
  return {
    name: "everyday, reworded",
    data: `${honest.length} innocent runs and ${loops.length} loops, tools renamed and answers reworded`,
    size: runs.length,
    figures: [
      ourFigure(
        "innocents spoken to",
        LESS,
        shareOf(silent, ({ words }) => words.length > 0),
      ),
      ourFigure(
        "innocents refused",
        LESS,
        shareOf(honest, ({ isBlocked }) => isBlocked),
      ),
      ourFigure(
        "innocents ended",
        LESS,
        shareOf(honest, ({ isStopped }) => isStopped),
      ),
      ourFigure("loops found in time", MORE, shareOf(loops, isFound)),
    ],
  };
}

import { BY, biteOf, CLEAR_BY, isInTime, plainLoops, type Setting, settings } from "../../teeth/measure-teeth.ts";
import type { CreateGuard } from "../load-guard.ts";
import { shareOf } from "../share.ts";
import { type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const SHARE: FigureKind = { unit: "share", better: "more", tolerance: 0.02 };
/** bench:teeth has all hosts. */
const HOSTS = ["usual", "fast", "slow", "no clock, no rounds, no flags"];

/** Loops that nobody would defend, made to go on: are they refused and ended in time? */
export function plainLoopsInstrument(createGuard: CreateGuard): Instrument {
  const figuresOf = (setting: Setting): Instrument["figures"] => {
    const bitten = plainLoops.map((loop) => ({ loop, bite: biteOf(loop, setting, createGuard) }));
    const clear = bitten.filter(({ loop }) => loop.isClear);
    return [
      ourFigure(
        `${setting.name}: refused by ${BY.refused}, ended by ${BY.ended}`,
        SHARE,
        shareOf(bitten, ({ loop, bite }) => isInTime(loop, bite, BY)),
      ),
      ourFigure(
        `${setting.name}: clear ones by ${CLEAR_BY.refused}, ${CLEAR_BY.ended}`,
        SHARE,
        shareOf(clear, ({ loop, bite }) => isInTime(loop, bite, CLEAR_BY)),
      ),
    ];
  };
  return {
    name: "plain loops",
    data: `${plainLoops.length} loops of a hundred calls`,
    size: plainLoops.length,
    figures: settings.filter(({ name }) => HOSTS.includes(name)).flatMap(figuresOf),
  };
}

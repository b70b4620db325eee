import type { Steadiness } from "../../steadiness/measure-steadiness.ts";
import { type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

const SHARE: FigureKind = { unit: "share", better: "more", tolerance: 0.005 };
const COUNT: FigureKind = { unit: "count", better: "less", tolerance: 0 };

/** The same runs in other words and by other hosts: do they get the same answers? */
export function steadinessInstrument(measured: Steadiness): Instrument {
  const { loops, honest, heard, loopShare, honestShare, refusedAsTheyAre, overall } = measured;
  return {
    name: "steadiness",
    data: `${loops.length} loops and ${honest.length} healthy runs, each told in another way`,
    size: loops.length + honest.length,
    figures: [
      ourFigure("overall", SHARE, overall),
      ourFigure("loops that get an answer in time as they are", SHARE, heard),
      ourFigure("loops that get the same answers", SHARE, loopShare),
      ourFigure("healthy runs that are answered no harder", SHARE, honestShare),
      ourFigure("healthy runs that are refused as they are", COUNT, refusedAsTheyAre),
    ],
  };
}

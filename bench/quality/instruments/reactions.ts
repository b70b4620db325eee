import { REACTIONS } from "../../reactions/honest-agent.ts";
import { asked, type HonestSeries, items, tickets } from "../../reactions/honest-series.ts";
import { liveSeries, type SeriesEnd } from "../../reactions/live-series.ts";
import type { HonestRun, StuckRun } from "../../reactions/measure-reactions.ts";
import { STUCK_WAYS } from "../../reactions/stuck-agent.ts";
import type { CreateGuard } from "../load-guard.ts";
import { shareOf } from "../share.ts";
import { type Figure, type FigureKind, type Instrument, ourFigure } from "./instrument.ts";

/** The tolerance for what is done to honest agents is one run in 300, and none where the run is ended. */
const LESS: FigureKind = { unit: "share", better: "less", tolerance: 0.0034 };
const NEVER: FigureKind = { unit: "share", better: "less", tolerance: 0 };
const MORE: FigureKind = { unit: "share", better: "more", tolerance: 0.02 };
const COUNT: FigureKind = { unit: "count", better: "less", tolerance: 0 };

/** Honest runs whose agent reacts to a refusal: how many are refused, and ended all the same? */
export function honestReactionsInstrument(runs: readonly HonestRun[]): Instrument {
  return {
    name: "reactions, honest",
    data: `${runs.length} everyday runs`,
    size: runs.length,
    figures: REACTIONS.flatMap((reaction) => [
      ourFigure(
        `${reaction}: refused`,
        LESS,
        shareOf(runs, ({ costs }) => costs[reaction].turnsLost > 0),
      ),
      ourFigure(
        `${reaction}: ended`,
        NEVER,
        shareOf(runs, ({ costs }) => costs[reaction].isEnded),
      ),
    ]),
  };
}

/** Everyday loops that go on for eighty calls: are they refused, and ended? */
export function stuckReactionsInstrument(runs: readonly StuckRun[]): Instrument {
  return {
    name: "reactions, stuck",
    data: `${runs.length} everyday loops`,
    size: runs.length,
    figures: STUCK_WAYS.flatMap((way) =>
      (["told", "refused", "ended"] as const).map((field) =>
        ourFigure(
          `${way}: ${field}`,
          MORE,
          shareOf(runs, ({ ends }) => ends[way][field] !== undefined),
        ),
      ),
    ),
  };
}

/** Equal calls that the request asks for, by an agent that insists. */
export function seriesInstrument(createGuard: CreateGuard): Instrument {
  const count = (name: string, group: readonly HonestSeries[], holds: (end: SeriesEnd) => boolean): Figure =>
    ourFigure(name, COUNT, group.filter((series) => holds(liveSeries(series, createGuard))).length);
  const size = items.length + asked.length + tickets.length;
  return {
    name: "honest series",
    data: `${size} series of equal calls that were asked for, and of records that speak of failures`,
    size,
    figures: [
      count("items: ended within the calls asked for", items, ({ isEndedWithin }) => isEndedWithin),
      count("other words: ended within the calls asked for", asked, ({ isEndedWithin }) => isEndedWithin),
      count("records that speak of failures: told", tickets, ({ isTold }) => isTold),
    ],
  };
}

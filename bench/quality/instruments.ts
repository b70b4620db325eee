import { REACTIONS, type Reactions, STUCK_WAYS } from "./agents.ts";
import { type Expectation, type LoopExpectation, scoreInnocent, scoreLoop } from "./everyday.ts";
import type { CreateGuard } from "./guard.ts";
import { type JudgedRun, type JudgedSource, OURS } from "./judge-run.ts";
import { plainLoops } from "./loops.ts";
import type { Measurement } from "./measure.ts";
import { groupBy, share, shareOf } from "./numbers.ts";
import type { QuickRun } from "./quick-run.ts";
import { asked, type HonestSeries, items, liveSeries, type SeriesEnd, tickets } from "./series.ts";
import type { Steadiness } from "./steadiness.ts";
import { BY, biteOf, CLEAR_BY, isInTime, settings } from "./teeth.ts";
import { type ToldTwin, tellTwins } from "./twins.ts";
import { type VariantName, variants } from "./variants.ts";
import type { Score } from "./windows.ts";

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

const RATIO: FigureKind = { unit: "ratio", better: "more", tolerance: 0.02 };
const DELAY: FigureKind = { unit: "calls", better: "less", tolerance: 1 };
const NONE: FigureKind = { unit: "count", better: "less", tolerance: 0 };
const WORDS: FigureKind = { ...NONE, tolerance: 1 };
const MORE: FigureKind = { unit: "share", better: "more", tolerance: 0.02 };
const LESS: FigureKind = { ...MORE, better: "less" };
/** What is done to healthy work, by how much of it there is. */
const RARELY: FigureKind = { ...LESS, tolerance: 0.002 };
const SELDOM: FigureKind = { ...LESS, tolerance: 0.005 };
const ONE_IN_300: FigureKind = { ...LESS, tolerance: 0.0034 };
const NEVER: FigureKind = { ...LESS, tolerance: 0 };
const STEADY: FigureKind = { ...MORE, tolerance: 0.005 };

/** Figures that only our guard has. */
function ours(kind: FigureKind, values: Readonly<Record<string, number>>): Figure[] {
  return Object.entries(values).map(([name, value]) => ({ name, ...kind, values: { [OURS]: value } }));
}

/** A figure that every detector has which was asked about these runs. */
function everyones(
  name: string,
  kind: FigureKind,
  runs: readonly JudgedRun[],
  figureOf: (detector: string) => number,
): Figure {
  const detectors = Object.keys(runs[0]?.spokeAt ?? {});
  return { name, ...kind, values: Object.fromEntries(detectors.map((detector) => [detector, figureOf(detector)])) };
}

/** All instruments that look at replayed runs, and have something to look at. */
export function measureInstruments(
  sources: readonly JudgedSource[],
  measurement?: Measurement,
  later?: { readonly all: Measurement; readonly independent: Measurement },
): Instrument[] {
  const runsOf = (kind: JudgedSource["kind"]): JudgedRun[] =>
    sources.filter((each) => each.kind === kind).flatMap(({ runs }) => runs);
  const [recorded, sessions, everyday] = [runsOf("recorded"), runsOf("sessions"), runsOf("everyday")];
  const instruments = [
    ...(measurement ? [windows("recorded windows", measurement), successes("successes", measurement)] : []),
    ...(later ? [windows("later windows, a + d", later.independent), windows("later windows", later.all)] : []),
    ...(later ? [successes("later successes", later.all)] : []),
    realSessions(sessions),
    ...setsOf(sources).map(([set, runs]) => everydaySet(`everyday, ${set}`, runs)),
    toldOtherwise("everyday variants", everyday),
    toldOtherwise("session variants", sessions),
    teeth(everyday),
    rows(recorded),
  ];
  return instruments.filter(({ size }) => size > 0);
}

/** The instruments whose agents live on after what was recorded: they know nothing of a guard but its interface. */
export function liveInstruments(
  createGuard: CreateGuard,
  measured: {
    readonly reworded: readonly QuickRun[];
    readonly reactions: Reactions;
    readonly steadiness: Steadiness;
  },
): Instrument[] {
  return [
    reworded(measured.reworded),
    plain(createGuard),
    steady(measured.steadiness),
    ...reactions(measured.reactions),
    honestSeries(createGuard),
    twinsInstrument(tellTwins(createGuard)),
  ].filter(({ size }) => size > 0);
}

/**
 * The everyday runs by the set that they were written in: each was written after the rules had been made with those before it.
 *
 * `innocent.jsonl.gz` and `loops.jsonl.gz` are the first set, `innocent-2.jsonl.gz` belongs to the second. Slow loops are apart.
 */
function setsOf(sources: readonly JudgedSource[]): [set: string, runs: readonly JudgedRun[]][] {
  const everyday = sources.filter(({ kind }) => kind === "everyday");
  const nameOf = (source: string): string =>
    source.startsWith("slow") ? "slow loops" : `set ${/-(\w+)$/.exec(source)?.[1] ?? "1"}`;
  const sets = groupBy(everyday, ({ source }) => nameOf(source));
  return [...sets]
    .map(([set, own]): [string, JudgedRun[]] => [set, own.flatMap(({ runs }) => runs)])
    .sort(([one], [other]) => one.localeCompare(other));
}

/** Stretches of recorded runs that somebody judged: are the loops among them found, and the others left alone? */
function windows(name: string, { detectors, windows: size, loops }: Measurement): Instrument {
  const figure = (title: string, field: keyof Score, kind: FigureKind): Figure => ({
    name: title,
    ...kind,
    values: Object.fromEntries(detectors.map((each) => [each.name, each.score[field]])),
  });
  const figures = [
    figure("precision", "precision", RATIO),
    figure("recall", "recall", RATIO),
    figure("F1", "f1", RATIO),
    figure("median delay in calls", "medianDelay", DELAY),
  ];
  return { name, data: `${size} windows, ${loops} of them loops`, size, figures };
}

/** Recorded runs that reached their goal: how often are they disturbed? */
function successes(name: string, { detectors, successes: { runs, blocked, stopped } }: Measurement): Instrument {
  const spoken = Object.fromEntries(detectors.map((each) => [each.name, each.successesAlarmed]));
  const figures = [
    { name: "spoken to", ...RARELY, values: spoken },
    ...ours(RARELY, { "refused or ended": blocked, ended: stopped }),
  ];
  return { name, data: `${runs} runs`, size: runs, figures };
}

/** People at work with coding agents, none of them seen to go in circles: every word is suspect. */
function realSessions(runs: readonly JudgedRun[]): Instrument {
  const count = (holds: (run: JudgedRun) => boolean): number => runs.filter(holds).length;
  const figures = [
    everyones("spoken to", NONE, runs, (detector) => count(({ spokeAt }) => spokeAt[detector]!.length > 0)),
    ...ours(NONE, { "refused or ended": count(({ isBlocked }) => isBlocked) }),
    ...ours(NONE, { ended: count(({ isStopped }) => isStopped) }),
  ];
  return { name: "real sessions", data: `${runs.length} sessions`, size: runs.length, figures };
}

/** Made-up runs with today's tools: is healthy repetition left alone, and are loops found in time? */
function everydaySet(name: string, runs: readonly JudgedRun[]): Instrument {
  const expected = (expect: Expectation["expect"]): JudgedRun[] =>
    runs.filter(({ expectation }) => expectation?.expect === expect);
  const [silent, arguable, loops] = [expected("silent"), expected("nudge-at-most"), expected("spoken")];
  const count = (among: readonly JudgedRun[], field: keyof ReturnType<typeof scoreInnocent>): number =>
    among.filter(({ decisions }) => scoreInnocent(decisions)[field]).length;
  const found = (title: string, kind: FigureKind, holds: (score: ReturnType<typeof scoreLoop>) => boolean): Figure =>
    everyones(title, kind, runs, (detector) =>
      shareOf(loops, ({ expectation, spokeAt }) =>
        holds(scoreLoop(expectation as LoopExpectation, spokeAt[detector]!)),
      ),
    );
  const words = silent.map(({ decisions }) => decisions.length).filter((said) => said > 0);
  words.sort((one, other) => one - other);
  const figures = [
    everyones("innocents spoken to", LESS, runs, (detector) =>
      shareOf(silent, ({ spokeAt }) => spokeAt[detector]!.length > 0),
    ),
    ...ours(NONE, {
      "innocents refused": count(silent, "isBlocked"),
      "innocents ended": count(silent, "isStopped"),
      "arguable ones refused or ended": count(arguable, "isTooHard"),
    }),
    ...ours(WORDS, {
      "words per innocent spoken to, median": words[(words.length - 1) >> 1] ?? 0,
      "words per innocent spoken to, most": words.at(-1) ?? 0,
    }),
    found("loops found in time", MORE, ({ verdict }) => verdict === "found"),
    found("loops found late", LESS, ({ verdict }) => verdict === "late"),
    found("loops missed", LESS, ({ verdict }) => verdict === "missed"),
    found("loops spoken to early", LESS, ({ isEarly }) => isEarly),
  ];
  const data = `${silent.length} innocent runs, ${arguable.length} in which a nudge is arguable, ${loops.length} loops`;
  return { name, data, size: runs.length, figures };
}

/**
 * Healthy runs as other hosts would have told them: does the guard still do no harm? A name is nothing to go by, so no run may be harmed for it;
 * clock and rounds are.
 */
function toldOtherwise(name: string, runs: readonly JudgedRun[]): Instrument {
  const innocents = runs.flatMap((run) => run.variants ?? []);
  const figures = (Object.keys(variants) as VariantName[]).flatMap((variant) => {
    const [kind, whole] = variant === "tools renamed" ? [NONE, 1] : [SELDOM, innocents.length];
    const harmed = (field: "isBlocked" | "isStopped"): number =>
      share(innocents.filter((acts) => acts[variant][field]).length, whole);
    return ours(kind, {
      [`${variant}: refused or ended`]: harmed("isBlocked"),
      [`${variant}: ended`]: harmed("isStopped"),
    });
  });
  return { name, data: `${innocents.length} innocent runs, told otherwise`, size: innocents.length, figures };
}

/** Everyday loops beyond argument that go on: are they refused, and ended? */
function teeth(runs: readonly JudgedRun[]): Instrument {
  const bites = runs.flatMap(({ bite }) => bite ?? []);
  const figures = ours(MORE, {
    "refused within 16 calls": shareOf(bites, ({ isRefused }) => isRefused),
    "ended within 40 calls": shareOf(bites, ({ isEnded }) => isEnded),
  });
  return { name: "teeth", data: `${bites.length} everyday loops that go on`, size: bites.length, figures };
}

/** Recorded rows of equal calls with equal results that go on: are they spoken to, refused, and ended? */
function rows(runs: readonly JudgedRun[]): Instrument {
  const all = runs.flatMap(({ row }) => row ?? []);
  const figures = ours(MORE, {
    "spoken to by the 8th": shareOf(all, ({ isSpokenTo }) => isSpokenTo),
    "refused by the 12th": shareOf(all, ({ isRefused }) => isRefused),
    "ended by the 30th": shareOf(all, ({ isEnded }) => isEnded),
  });
  const data = `${all.length} recorded runs with at least 8 equal calls and results in a row, which goes on to 30`;
  return { name: "rows", data, size: all.length, figures };
}

/** The everyday runs with other names for tools and other words in answers: how much hangs on words? */
function reworded(runs: readonly QuickRun[]): Instrument {
  const expected = (isLoop: boolean): QuickRun[] =>
    runs.filter(({ expectation }) => (expectation?.expect === "spoken") === isLoop);
  const [honest, loops] = [expected(false), expected(true)];
  const silent = honest.filter(({ expectation }) => expectation?.expect === "silent");
  const isFound = ({ expectation, words }: QuickRun): boolean => {
    const calls = words.map(({ call }) => call);
    return scoreLoop(expectation as LoopExpectation, calls).verdict === "found";
  };
  const figures = [
    ...ours(LESS, {
      "innocents spoken to": shareOf(silent, ({ words }) => words.length > 0),
      "innocents refused": shareOf(honest, ({ isBlocked }) => isBlocked),
      "innocents ended": shareOf(honest, ({ isStopped }) => isStopped),
    }),
    ...ours(MORE, { "loops found in time": shareOf(loops, isFound) }),
  ];
  const data = `${honest.length} innocent runs and ${loops.length} loops, tools renamed and answers reworded`;
  return { name: "everyday, reworded", data, size: runs.length, figures };
}

/** `--teeth` has all hosts. */
const HOSTS = ["usual", "fast", "slow", "no clock, no rounds, no flags"];

/** Loops that nobody would defend, made to go on: are they refused and ended in time? */
function plain(createGuard: CreateGuard): Instrument {
  const figures = settings.flatMap((setting) => {
    if (!HOSTS.includes(setting.name)) return [];
    const bitten = plainLoops.map((loop) => ({ loop, bite: biteOf(loop, setting, createGuard) }));
    const clear = bitten.filter(({ loop }) => loop.isClear);
    const inTime = (all: typeof bitten, by: typeof BY | typeof CLEAR_BY): number =>
      shareOf(all, ({ loop, bite }) => isInTime(loop, bite, by));
    return ours(MORE, {
      [`${setting.name}: refused by ${BY.refused}, ended by ${BY.ended}`]: inTime(bitten, BY),
      [`${setting.name}: clear ones by ${CLEAR_BY.refused}, ${CLEAR_BY.ended}`]: inTime(clear, CLEAR_BY),
    });
  });
  const size = plainLoops.length;
  return { name: "plain loops", data: `${size} loops of a hundred calls`, size, figures };
}

/** The same runs in other words and by other hosts: do they get the same answers? */
function steady({ loops, honest, heard, loopShare, honestShare, refusedAsTheyAre, overall }: Steadiness): Instrument {
  const figures = [
    ...ours(STEADY, {
      overall,
      "loops that get an answer in time as they are": heard,
      "loops that get the same answers": loopShare,
      "healthy runs that are answered no harder": honestShare,
    }),
    ...ours(NONE, { "healthy runs that are refused as they are": refusedAsTheyAre }),
  ];
  const data = `${loops.length} loops and ${honest.length} healthy runs, each told in another way`;
  return { name: "steadiness", data, size: loops.length + honest.length, figures };
}

/** Healthy runs whose agent reacts to a refusal, and everyday loops that go on for eighty calls: who is refused, who is ended? */
function reactions({ honest, stuck }: Reactions): Instrument[] {
  const healthy = REACTIONS.flatMap((reaction) => [
    ...ours(ONE_IN_300, { [`${reaction}: refused`]: shareOf(honest, ({ costs }) => costs[reaction].turnsLost > 0) }),
    ...ours(NEVER, { [`${reaction}: ended`]: shareOf(honest, ({ costs }) => costs[reaction].isEnded) }),
  ]);
  const looping = STUCK_WAYS.flatMap((way) =>
    (["told", "refused", "ended"] as const).flatMap((field) =>
      ours(MORE, { [`${way}: ${field}`]: shareOf(stuck, ({ ends }) => ends[way][field] !== undefined) }),
    ),
  );
  return [
    { name: "reactions, honest", data: `${honest.length} everyday runs`, size: honest.length, figures: healthy },
    { name: "reactions, stuck", data: `${stuck.length} everyday loops`, size: stuck.length, figures: looping },
  ];
}

/** Equal calls that the request asks for, by an agent that insists. */
function honestSeries(createGuard: CreateGuard): Instrument {
  const count = (group: readonly HonestSeries[], holds: (end: SeriesEnd) => boolean): number =>
    group.filter((series) => holds(liveSeries(series, createGuard))).length;
  const figures = ours(NONE, {
    "items: ended within the calls asked for": count(items, ({ isEndedWithin }) => isEndedWithin),
    "other words: ended within the calls asked for": count(asked, ({ isEndedWithin }) => isEndedWithin),
    "records that speak of failures: told": count(tickets, ({ isTold }) => isTold),
  });
  const size = items.length + asked.length + tickets.length;
  const data = `${size} series of equal calls that were asked for, and of records that speak of failures`;
  return { name: "honest series", data, size, figures };
}

/** Loops that are hard to tell from honest work, beside such work. */
export function twinsInstrument(all: readonly ToldTwin[]): Instrument {
  const loops = all.filter(({ kind }) => kind !== undefined);
  const honest = all.filter(({ kind }) => kind === undefined);
  const told = [...groupBy(loops, ({ kind }) => kind!)].map(([kind, own]) => [
    `${kind} loops: told in time`,
    shareOf(own, ({ isToldInTime }) => isToldInTime),
  ]);
  const count = (field: keyof ToldTwin["answers"]): number =>
    honest.filter(({ answers }) => answers[field] < Infinity).length;
  const figures = [
    ...ours(MORE, {
      ...Object.fromEntries(told),
      "ended in time": shareOf(loops, ({ isEndedInTime }) => isEndedInTime),
    }),
    ...ours(NONE, { "twins told": count("told"), "twins refused": count("refused"), "twins ended": count("ended") }),
  ];
  const data = `${loops.length} loops of a hundred calls, and ${honest.length} honest twins`;
  return { name: "loops and twins", data, size: all.length, figures };
}

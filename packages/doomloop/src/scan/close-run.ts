import { answersOf, createSpending, type Spending, type SpendingOptions } from "./costs/spending.ts";
import { isPossibleLoop, kindInHindsight } from "./hindsight.ts";
import { joinLoops } from "./join-loops.ts";
import type { OpenLoop } from "./loop-collector.ts";
import { sumAmounts, sumLate, sumTimes } from "./report/amounts.ts";
import type { Amount } from "./report/report.ts";
import { addTo, after, includes, joined, type Span, shared, sizeOf, without } from "./report/spans.ts";
import type { AfterOnset, LoopRecord, RunRecord, Uncounted } from "./run-record.ts";
import { keptModel } from "./session-summary.ts";
import type { RunWatch } from "./watch-run.ts";

type CloseRunOptions = Pick<SpendingOptions, "prices" | "tokensPerCharacter">;

/** Names from transcripts are cut to this length. */
export const MAX_NAME = 400;

/** Turns a finished run into the record that the scan keeps. */
export function closeRun(watch: RunWatch, agent: string, options: CloseRunOptions): RunRecord {
  const { run, facts, ledger, loopCollector } = watch;
  const { calls, badEvents, first, last } = watch.tally();
  const startedAt = time(facts.startedAt) ?? first;
  const model = name(facts.model) ?? modelOf(watch);
  const spending = createSpending(ledger, { ...options, model, at: startedAt, total: facts.total });
  const measures: Measures = { ...spending, calls: (from, to) => to - from, timeMs: watch.timeBetween };
  const { history, answeredAt, spokenAfter } = watch;
  const hindsight = { history, calls, answeredAt: answeredAt(), spokenAfter };
  const loops = joinLoops(loopCollector.loops).map((loop) => ({
    ...placedLoop(loop, watch),
    kind: kindInHindsight(loop),
    isPossible: isPossibleLoop(loop, hindsight),
  }));
  const { each, all } = afterOnsetsOf(loops, measures);
  return {
    agent,
    namedAgent: name(facts.agent) ?? null,
    run: run.slice(0, MAX_NAME),
    parent: name(facts.parent) ?? null,
    project: name(facts.project) ?? null,
    model: model === undefined ? null : keptModel(model),
    startedAt: startedAt ?? null,
    endedAt: last ?? null,
    calls,
    ...spending.whole,
    answers: answersOf(ledger, agent, spending),
    badEvents,
    faults: watch.faults(),
    afterOnset: all,
    repeated: watch.repeats.finish(isInLoop(watch)),
    loops: loops.map((loop, at) => ({ ...loop, afterOnset: each[at]! })),
  };
}

/** Whether a call belongs to a loop: it is the one that repeats, or a finding names it. */
function isInLoop({ loopCollector: { loops }, history }: RunWatch): (key: number) => boolean {
  const calls = new Set(loops.map(({ repeated }) => repeated));
  for (const [first, last] of loops.flatMap(({ named }) => named))
    for (let index = first; index <= last; index++) calls.add(history.at(index)?.key);
  return (key) => calls.has(key);
}

function modelOf({ ledger }: RunWatch): string | undefined {
  return name(ledger.places().findLast(({ usage }) => usage?.model !== undefined)?.usage?.model);
}

/** A name from the transcript, cut to length. Undefined if it is not a name. */
function name(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_NAME) : undefined;
}

/** A time from the transcript. Undefined if it is not a valid date. */
function time(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= 8.64e15 ? value : undefined;
}

/**
 * A finished loop: which calls belong to it, how often they were made, and which of them did not count.
 *
 * If one call repeats, every equal call between the first and the last is made in the loop, whether it counted or not.
 * A cycle goes on as long as each call equals the one a lap before, although the guard saw the last ones as another loop.
 */
function placedLoop(open: OpenLoop, watch: RunWatch): Omit<LoopRecord, "afterOnset" | "isPossible"> {
  const { counted: _, decidedAt: __, named, besides, repeated, lastAnswer: ___, ...loop } = open;
  const { history } = watch;
  const calls = [...named];
  const uncounted: Uncounted[] = [];
  for (const index of repeated === undefined ? [] : history.equalTo(repeated, 0, loop.end)) {
    const { reason } = history.at(index)!;
    if (reason !== undefined) uncounted.push({ call: index, reason });
    else if (index >= loop.onset) addTo(calls, index);
  }
  if (loop.period !== null && calls.length > 0) {
    const last = calls.at(-1)![1];
    for (let call = history.endOf(last, loop.period, loop.end); call > last; call--) addTo(calls, call);
  }
  const passed = uncounted.filter(({ call }) => call >= loop.onset && !includes(calls, call));
  const all = besides.length === 0 ? calls : joined([...calls, ...besides]);
  return {
    ...loop,
    count: timesOf(open, sizeOf(calls), passed.length),
    calls: all,
    answers: answersIn(open, all, watch),
    uncounted: uncounted.slice(-MAX_UNCOUNTED),
  };
}

/** How often it was made: laps of a cycle, answers of words, and otherwise calls, those that did not count included. */
function timesOf({ period, counted }: OpenLoop, named: number, passed: number): number {
  if (named === 0) return counted;
  return Math.max(1, timesMade(period, named, passed));
}

/** The laps of a cycle, or else the calls of a loop and those that did not count. */
export function timesMade(period: number | null, named: number, passed: number): number {
  return period === null ? named + passed : Math.floor(named / period);
}

/** The answers that made the calls. Answers without a call between two calls in a row belong to them. */
function answersIn(open: OpenLoop, calls: readonly Span[], { answerOf }: RunWatch): readonly Span[] {
  if (calls.length === 0) return [[open.spokeAfter, open.lastAnswer]];
  return joined(calls.map(([first, last]): Span => [answerOf(first), answerOf(last)]));
}

const MAX_UNCOUNTED = 100;

/** Where a loop lies in its run. */
export type Stretch = Pick<LoopRecord, "spokeAfter" | "refusedAfter" | "spokeAt" | "calls" | "answers" | "isPossible">;

/** The tokens and cost of answers, and the number of calls after `from` up to and including `to`. */
export interface Measures extends Pick<Spending, "tokens" | "costUsd"> {
  calls(from: number, to: number): number;
  /** The time of those calls in milliseconds. Null if it is unknown. */
  timeMs(from: number, to: number): number | null;
}

/** What was spent after the guard would have stepped in: for each loop of a run, and for all that are not only possible. */
interface AfterOnsets {
  readonly each: readonly AfterOnset[];
  readonly all: AfterOnset;
}

/**
 * Calculates what was spent after the guard would have stepped in: on the calls that findings name, and on nothing that
 * lies between them.
 *
 * Loops may overlap. A call or an answer that lies in several loops counts for the one the guard noticed first, so that
 * the loops add up to the total. What lies in a loop does not count for a possible one.
 *
 * `low` is what would be saved even if the agent ignored every nudge: it starts at the first refused call of any loop.
 * `high` is what would be saved if the agent stopped at the first nudge.
 */
export function afterOnsetsOf(loops: readonly Stretch[], measures: Measures): AfterOnsets {
  const calls = shares(loops.map((loop) => ({ ...loop, from: loop.spokeAt, spans: loop.calls })));
  const answers = shares(loops.map((loop) => ({ ...loop, from: loop.spokeAfter, spans: loop.answers })));
  const refusals = joined(
    loops.flatMap((loop) => (loop.refusedAfter === undefined ? [] : after(loop.answers, loop.refusedAfter))),
  );
  const each = loops.map((_, at): AfterOnset => {
    const [tokens, costUsd] = [measures.tokens, measures.costUsd].map((measure) => spentOn(measure, answers[at]!));
    return {
      calls: calls[at]!.reduce((sum, [first, last]) => sum + measures.calls(first - 1, last), 0),
      answers: sizeOf(answers[at]!),
      timeMs: sumTimes(calls[at]!.map(([first, last]) => measures.timeMs(first - 1, last))),
      tokens: withLow(tokens!, measures.tokens, shared(answers[at]!, refusals)),
      costUsd: withLow(costUsd!, measures.costUsd, shared(answers[at]!, refusals)),
      fromNudge: { tokens: tokens!, costUsd: costUsd! },
    };
  });
  const nothing = { tokens: measures.tokens(-1, -1), costUsd: measures.costUsd(-1, -1) };
  const none = { calls: 0, answers: 0, timeMs: null, ...nothing, fromNudge: nothing };
  return { each, all: sumLate([none, ...each.filter((_, at) => !loops[at]!.isPossible)]) };
}

/** What of a loop comes after the guard's first word. */
interface Late {
  readonly from: number;
  readonly spans: readonly Span[];
  readonly isPossible: boolean;
}

/**
 * Cuts overlapping spans so that each position belongs to one loop: the one whose `from` comes first, or the first in
 * the list if two are equal. Possible loops come last.
 */
function shares(loops: readonly Late[]): readonly (readonly Span[])[] {
  const own: (readonly Span[])[] = [];
  let taken: readonly Span[] = [];
  const inOrder = loops
    .map((loop, at) => ({ ...loop, at }))
    .sort((one, other) => Number(one.isPossible) - Number(other.isPossible) || one.from - other.from);
  for (const { from, spans, at } of inOrder) {
    own[at] = without(after(spans, from), taken);
    taken = joined([...taken, ...own[at]]);
  }
  return own;
}

function spentOn(measure: Spending["tokens"], spans: readonly Span[]): Amount | null {
  return sumAmounts([measure(-1, -1), ...spans.map(([first, last]) => measure(first - 1, last))]);
}

/** An amount whose low end is what was spent in some of the spans. */
function withLow(spent: Amount | null, measure: Spending["tokens"], spans: readonly Span[]): Amount | null {
  return spent && { ...spent, low: spans.length === 0 ? 0 : (spentOn(measure, spans)?.low ?? 0) };
}

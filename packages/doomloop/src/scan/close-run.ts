import { answersOf, createSpending, type Spending, type SpendingOptions } from "./costs/spending.ts";
import { sumAmounts } from "./report/amounts.ts";
import type { Amount } from "./report/report.ts";
import type { AfterOnset, LoopRecord, RunRecord } from "./run-record.ts";
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
  const measures: Measures = { ...spending, calls: (from, to) => to - from };
  const { each, all } = afterOnsetsOf(loopCollector.loops, measures);
  return {
    agent,
    run: run.slice(0, MAX_NAME),
    parent: name(facts.parent) ?? null,
    project: name(facts.project) ?? null,
    model: model ?? null,
    startedAt: startedAt ?? null,
    endedAt: last ?? null,
    calls,
    ...spending.whole,
    answers: answersOf(ledger, agent, spending),
    badEvents,
    faults: watch.faults(),
    afterOnset: all,
    loops: loopCollector.loops.map((loop, at) => ({ ...loop, afterOnset: each[at]! })),
  };
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

export type Stretch = Pick<LoopRecord, "spokeAfter" | "refusedAfter" | "lastAnswer" | "spokeAt" | "end">;

/** The tokens and cost of answers, and the number of calls after `from` up to and including `to`. */
export interface Measures extends Pick<Spending, "tokens" | "costUsd"> {
  calls(from: number, to: number): number;
}

/** What was spent after the guard would have stepped in: for each loop of a run, and for all of them together. */
interface AfterOnsets {
  readonly each: readonly AfterOnset[];
  readonly all: AfterOnset;
}

/**
 * Calculates what was spent after the guard would have stepped in.
 *
 * Loops may overlap. A call or an answer that lies in several loops counts for the one the guard noticed first, so that
 * the loops add up to the total.
 *
 * `low` is what would be saved even if the agent ignored every nudge: it starts at the first refused call of any loop.
 * `high` is what would be saved if the agent stopped at the first nudge.
 */
export function afterOnsetsOf(loops: readonly Stretch[], measures: Measures): AfterOnsets {
  const calls = shares(loops.map(({ spokeAt, end }) => ({ from: spokeAt, to: end })));
  const answers = shares(loops.map(({ spokeAfter, lastAnswer }) => ({ from: spokeAfter, to: lastAnswer })));
  const refusals = shares(
    loops.flatMap(({ refusedAfter, lastAnswer }) =>
      refusedAfter === undefined ? [] : [{ from: refusedAfter, to: lastAnswer }],
    ),
  );
  const each = loops.map((_, at) => ({
    calls: measures.calls(calls[at]!.from, calls[at]!.to),
    tokens: range(measures.tokens, answers[at]!, refusals),
    costUsd: range(measures.costUsd, answers[at]!, refusals),
  }));
  const all = {
    calls: each.reduce((sum, loop) => sum + loop.calls, 0),
    tokens: sumAmounts([measures.tokens(-1, -1), ...each.map(({ tokens }) => tokens)]),
    costUsd: sumAmounts([measures.costUsd(-1, -1), ...each.map(({ costUsd }) => costUsd)]),
  };
  return { each, all };
}

/** Positions after `from`, up to and including `to`. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Cuts overlapping spans so that each position belongs to one span: the one that begins first, or the first in the list
 * if two begin together.
 */
function shares(spans: readonly Span[]): readonly Span[] {
  const own: Span[] = [];
  let reached = Number.NEGATIVE_INFINITY;
  const inOrder = spans.map((span, at) => ({ ...span, at })).sort((one, other) => one.from - other.from);
  for (const { from, to, at } of inOrder) {
    own[at] = { from: Math.max(from, reached), to: Math.max(to, reached) };
    reached = Math.max(reached, to);
  }
  return own;
}

function range(measure: Spending["tokens"], span: Span, refusals: readonly Span[]): Amount | null {
  const spent = measure(span.from, span.to);
  if (spent === null) return null;
  const refused = refusals.filter(({ from, to }) => from < span.to && to > span.from);
  const spared = refused.map(({ from, to }) => measure(Math.max(from, span.from), Math.min(to, span.to)));
  return { ...spent, low: sumAmounts(spared)?.low ?? 0 };
}

import { answersOf, createSpending, type Spending, type SpendingOptions } from "./costs/spending.ts";
import { sumAmounts } from "./report/amounts.ts";
import type { Amount } from "./report/report.ts";
import type { AfterOnset, LoopRecord, RunRecord } from "./run-record.ts";
import type { RunWatch } from "./watch-run.ts";

type CloseRunOptions = Pick<SpendingOptions, "prices" | "tokensPerCharacter">;

/** Foreign names are cut to this length. */
export const MAX_NAME = 400;

/** What is kept of a run that is over. */
export function closeRun(watch: RunWatch, agent: string, options: CloseRunOptions): RunRecord {
  const { run, facts, ledger, book } = watch;
  const { calls, badEvents, first, last } = watch.tally();
  const startedAt = time(facts.startedAt) ?? first;
  const model = name(facts.model) ?? modelOf(watch);
  const spending = createSpending(ledger, { ...options, model, at: startedAt, total: facts.total });
  const measures: Measures = { ...spending, calls: (from, to) => to - from };
  const { each, all } = afterOnsetsOf(book.loops, measures);
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
    loops: book.loops.map((loop, at) => ({ ...loop, afterOnset: each[at]! })),
  };
}

function modelOf({ ledger }: RunWatch): string | undefined {
  return name(ledger.places().findLast(({ usage }) => usage?.model !== undefined)?.usage?.model);
}

/** A foreign name, cut; undefined if it is none. */
function name(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_NAME) : undefined;
}

/** A foreign time; undefined if it is none that a calendar has. */
function time(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= 8.64e15 ? value : undefined;
}

export type Stretch = Pick<LoopRecord, "spokeAfter" | "refusedAfter" | "lastAnswer" | "spokeAt" | "end">;

/** What answers took, and how many calls count after one and up to another. */
export interface Measures extends Pick<Spending, "tokens" | "costUsd"> {
  calls(from: number, to: number): number;
}

/** What was spent after the guard would have spoken: in each loop of a run, and in all of them. */
interface AfterOnsets {
  readonly each: readonly AfterOnset[];
  readonly all: AfterOnset;
}

/**
 * Shares out what was spent after the guard would have spoken.
 *
 * Loops may overlap: a call or an answer that lies in several belongs to the one about which the guard spoke first, so that loops, however
 * they are grouped, add up to the whole. The low end is what is spared even by an agent that does not listen, until a call is refused, in
 * whichever loop; the high end what one spares that does.
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

/** What comes after a place, up to and including another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What each span has for itself: without what one has that begins before it, or with it and stands before it. */
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

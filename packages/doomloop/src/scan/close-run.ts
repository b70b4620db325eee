import { afterOnsetsOf, type Measures } from "./after-onset.ts";
import { answersOf } from "./costs/answer-record.ts";
import { createSpending, type SpendingOptions } from "./costs/spending.ts";
import type { RunRecord } from "./run-record.ts";
import type { RunWatch } from "./watch-run.ts";

export type CloseRunOptions = Pick<SpendingOptions, "prices" | "tokensPerCharacter">;

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

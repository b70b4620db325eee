import { afterOnsetOf, afterOnsetOfAll, type Measures } from "./after-onset.ts";
import { answersOf } from "./costs/answer-record.ts";
import { createSpending, type SpendingOptions } from "./costs/spending.ts";
import type { OpenLoop } from "./loop-book.ts";
import type { LoopRecord, RunRecord } from "./run-record.ts";
import type { RunJudge, RunWatch } from "./watch-run.ts";

export type CloseRunOptions = Pick<SpendingOptions, "prices" | "tokensPerCharacter">;

/** Foreign names are cut to this length. */
export const MAX_NAME = 400;

/** What is kept of a run that is over, as each of its judges has it. */
export function closeRun(
  watch: RunWatch,
  agent: string,
  options: CloseRunOptions,
): readonly [RunRecord, ...RunRecord[]] {
  const { run, facts, ledger } = watch;
  const { calls, badEvents, first, last } = watch.tally();
  const startedAt = time(facts.startedAt) ?? first;
  const model = name(facts.model) ?? modelOf(watch);
  const spending = createSpending(ledger, { ...options, model, at: startedAt });
  const measures: Measures = { ...spending, calls: (from, to) => to - from };
  const end = ledger.current();
  const common = {
    agent,
    run: run.slice(0, MAX_NAME),
    project: name(facts.project) ?? null,
    model: model ?? null,
    startedAt: startedAt ?? null,
    endedAt: last ?? null,
    calls,
    tokens: spending.tokens(-1, end),
    costUsd: spending.costUsd(-1, end),
    answers: answersOf(ledger, agent, spending),
    badEvents,
  };
  const judged = ({ book, faults }: RunJudge): RunRecord => ({
    ...common,
    faults: faults(),
    afterOnset: afterOnsetOfAll(book.loops, measures),
    loops: book.loops.map((loop) => closeLoop(loop, measures)),
  });
  const [judge, ...others] = watch.judges();
  const record = judged(judge);
  // Most runs hold no loop, whoever judges: they are kept once.
  const isAlike = ({ book, faults }: RunJudge): boolean =>
    book.loops.length + record.loops.length === 0 && faults() === record.faults;
  return [record, ...others.map((other) => (isAlike(other) ? record : judged(other)))];
}

function closeLoop(loop: OpenLoop, measures: Measures): LoopRecord {
  return { ...loop, afterOnset: afterOnsetOf(loop, measures) };
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

import { createSpending, type Spending, type SpendingOptions } from "./costs/spending.ts";
import type { OpenLoop } from "./loop-book.ts";
import type { Amount } from "./report.ts";
import type { AfterOnset, LoopRecord, RunRecord } from "./run-record.ts";
import type { RunWatch } from "./watch-run.ts";

export type CloseRunOptions = Pick<SpendingOptions, "prices" | "tokensPerCharacter">;

/** Foreign names are cut to this length. */
export const MAX_NAME = 400;

/** What is kept of a run that is over. */
export function closeRun(watch: RunWatch, agent: string, options: CloseRunOptions): RunRecord {
  const { run, facts, ledger, book } = watch;
  const { calls, badEvents, faults, first, last } = watch.tally();
  const startedAt = time(facts.startedAt) ?? first;
  const model = name(facts.model) ?? modelOf(watch);
  const spending = createSpending(ledger, { ...options, model, at: startedAt });
  const end = ledger.current();
  return {
    agent,
    run: run.slice(0, MAX_NAME),
    project: name(facts.project) ?? null,
    model: model ?? null,
    startedAt: startedAt ?? null,
    endedAt: last ?? null,
    calls,
    tokens: spending.tokens(-1, end),
    costUsd: spending.costUsd(-1, end),
    afterOnset: unionOf(book.loops, spending),
    loops: book.loops.map((loop) => closeLoop(loop, spending)),
    badEvents,
    faults,
  };
}

function closeLoop(loop: OpenLoop, spending: Spending): LoopRecord {
  const { spokeAfter, refusedAfter, lastAnswer, spokeAt, ...kept } = loop;
  const after: Span = { from: spokeAfter, to: lastAnswer };
  const refused: Span[] = refusedAfter === undefined ? [] : [{ from: refusedAfter, to: lastAnswer }];
  return { ...kept, afterOnset: { calls: loop.end - spokeAt, ...range(spending, [after], refused) } };
}

/** Answers after one and up to another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Loops may overlap: what was spent in two of them was spent once. */
function unionOf(loops: readonly OpenLoop[], spending: Spending): AfterOnset {
  const after = loops.map(({ spokeAfter, lastAnswer }) => ({ from: spokeAfter, to: lastAnswer }));
  const refused = loops.flatMap(({ refusedAfter, lastAnswer }) =>
    refusedAfter === undefined ? [] : [{ from: refusedAfter, to: lastAnswer }],
  );
  const calls = merged(loops.map(({ spokeAt, end }) => ({ from: spokeAt, to: end })));
  return {
    calls: calls.reduce((sum, { from, to }) => sum + to - from, 0),
    ...range(spending, merged(after), merged(refused)),
  };
}

/** From what is spared even by an agent that does not listen, until a call is refused, to what one spares that does. */
function range(spending: Spending, after: readonly Span[], refused: readonly Span[]): Omit<AfterOnset, "calls"> {
  const amount = (measure: (from: number, to: number) => Amount | null): Amount | null => {
    const whole = measure(-1, -1);
    if (whole === null) return null;
    const sum = (spans: readonly Span[], side: "low" | "high"): number =>
      spans.reduce((total, { from, to }) => total + measure(from, to)![side], 0);
    return { low: sum(refused, "low"), high: sum(after, "high"), isEstimated: whole.isEstimated };
  };
  return { tokens: amount(spending.tokens), costUsd: amount(spending.costUsd) };
}

function merged(spans: readonly Span[]): readonly Span[] {
  const sorted = [...spans].sort((one, other) => one.from - other.from);
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const latest = result.at(-1);
    if (latest !== undefined && from <= latest.to) latest.to = Math.max(latest.to, to);
    else result.push({ from, to });
  }
  return result;
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

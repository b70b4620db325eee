import { afterOnsetsOf, type Measures, timesMade } from "./close-run.ts";
import { ID_DIGITS, recordedSpending } from "./costs/spending.ts";
import { createAmountSums } from "./costs/usage.ts";
import { addTo, includes, type Span, shared, sizeOf } from "./report/spans.ts";
import type { AnswerRecord, LoopRecord, RunRecord } from "./run-record.ts";

/** Enough for about 20 GB of transcripts. Answers beyond that are not remembered, and their copies count again. */
const MAX_IDS = 1 << 21;

/**
 * Counts each answer once, even if several runs contain it. Agents copy a conversation into another file when it is
 * forked or resumed.
 *
 * The first run keeps a shared answer, so the order matters. A run without any answer of its own becomes undefined.
 */
export function countOnce(records: readonly RunRecord[]): readonly (RunRecord | undefined)[] {
  const claimed = new Set<number>();
  return records.map((record) => {
    if (record.answers === null) return record;
    const ids = idsOf(record.answers);
    const isOwn = filled(ids.map((id) => (id === 0 ? undefined : !claimed.has(id))));
    for (const id of ids) if (id !== 0 && claimed.size < MAX_IDS) claimed.add(id);
    if (isOwn.every(Boolean)) return record;
    return isOwn.some(Boolean) ? withoutCopies(record, record.answers, isOwn) : undefined;
  });
}

/** An answer without an id was copied with the one before it. */
function filled(isOwn: readonly (boolean | undefined)[]): readonly boolean[] {
  let latest = isOwn.find((own) => own !== undefined) ?? true;
  return isOwn.map((own) => {
    latest = own ?? latest;
    return latest;
  });
}

function idsOf({ ids }: AnswerRecord): readonly number[] {
  const count = ids.length / ID_DIGITS;
  return Array.from({ length: count }, (_, at) => Number.parseInt(ids.slice(at * ID_DIGITS, (at + 1) * ID_DIGITS), 16));
}

/** The run without answers that another run already has, and without the calls that they made. */
function withoutCopies(record: RunRecord, answers: AnswerRecord, isOwn: readonly boolean[]): RunRecord {
  const calls = createAmountSums(answers.calls.reduce((sum, count) => sum + count, 0));
  const own: Own = { calls: [], answers: [] };
  let call = 0;
  answers.calls.forEach((count, at) => {
    if (isOwn[at]) addTo(own.answers, at);
    for (const end = call + count; call < end; call++) {
      calls.add(isOwn[at] ? 1 : 0, isOwn[at] ? 1 : 0);
      if (isOwn[at]) addTo(own.calls, call);
    }
  });
  const measures: Measures = {
    ...recordedSpending(answers, (at) => isOwn[at]!),
    calls: (from, to) => calls.between(from, to).high,
    // The record does not say how long each answer took.
    timeMs: () => null,
  };
  const loops = record.loops.map((loop) => ownPart(loop, own)).filter(({ count }) => count >= LEAST_TIMES);
  const { each, all } = afterOnsetsOf(loops, measures);
  return {
    ...record,
    calls: measures.calls(-1, record.calls),
    tokens: measures.tokens(-1, isOwn.length),
    costUsd: measures.costUsd(-1, isOwn.length),
    afterOnset: all,
    repeated: [],
    loops: loops.map((loop, at) => ({ ...loop, afterOnset: each[at]! })),
  };
}

/** The calls and the answers of a run that no other run has. */
interface Own {
  readonly calls: Span[];
  readonly answers: Span[];
}

/** What was made once is not repeated. */
const LEAST_TIMES = 2;

/** A loop as far as it was not copied. What lies entirely in copies belongs to the other run. */
function ownPart(loop: LoopRecord, own: Own): LoopRecord {
  const answers = shared(loop.answers, own.answers);
  if (loop.calls.length === 0) return { ...loop, answers, count: Math.min(loop.count, sizeOf(answers)) };
  const calls = shared(loop.calls, own.calls);
  const uncounted = loop.uncounted.filter(({ call }) => includes(own.calls, call));
  const decisions = loop.decisions.filter(({ call }) => includes(own.calls, call));
  const passed = uncounted.filter(({ call }) => call >= loop.onset && !includes(loop.calls, call)).length;
  return {
    ...loop,
    ...{ answers, calls, uncounted, decisions },
    count: Math.min(loop.count, timesMade(loop.period, sizeOf(calls), passed)),
    onset: Math.max(loop.onset, calls[0]?.[0] ?? loop.onset),
    end: Math.min(loop.end, calls.at(-1)?.[1] ?? loop.end),
    decided: loop.decided - (loop.decisions.length - decisions.length),
  };
}

import type { Spending } from "./costs/spending.ts";
import type { Amount } from "./report.ts";
import type { AfterOnset, LoopRecord } from "./run-record.ts";

type Stretch = Pick<LoopRecord, "spokeAfter" | "refusedAfter" | "lastAnswer" | "spokeAt" | "end">;

/** What answers took, and how many calls count after one and up to another. */
export interface Measures extends Spending {
  calls(from: number, to: number): number;
}

/** What was spent in one loop after the guard would have spoken. */
export function afterOnsetOf(loop: Stretch, measures: Measures): AfterOnset {
  return { calls: measures.calls(loop.spokeAt, loop.end), ...range(measures, after([loop]), refused([loop])) };
}

/** The same over all loops of a run. Loops may overlap: what was spent in two of them was spent once. */
export function afterOnsetOfAll(loops: readonly Stretch[], measures: Measures): AfterOnset {
  const calls = merged(loops.map(({ spokeAt, end }) => ({ from: spokeAt, to: end })));
  return {
    calls: calls.reduce((sum, { from, to }) => sum + measures.calls(from, to), 0),
    ...range(measures, merged(after(loops)), merged(refused(loops))),
  };
}

/** Answers after one and up to another. */
interface Span {
  readonly from: number;
  readonly to: number;
}

function after(loops: readonly Stretch[]): readonly Span[] {
  return loops.map(({ spokeAfter, lastAnswer }) => ({ from: spokeAfter, to: lastAnswer }));
}

function refused(loops: readonly Stretch[]): readonly Span[] {
  return loops.flatMap(({ refusedAfter, lastAnswer }) =>
    refusedAfter === undefined ? [] : [{ from: refusedAfter, to: lastAnswer }],
  );
}

/** From what is spared even by an agent that does not listen, until a call is refused, to what one spares that does. */
function range(spending: Spending, spoken: readonly Span[], refusals: readonly Span[]): Omit<AfterOnset, "calls"> {
  const amount = (measure: (from: number, to: number) => Amount | null): Amount | null => {
    const whole = measure(-1, -1);
    if (whole === null) return null;
    const sum = (spans: readonly Span[], side: "low" | "high"): number =>
      spans.reduce((total, { from, to }) => total + measure(from, to)![side], 0);
    return { low: sum(refusals, "low"), high: sum(spoken, "high"), isEstimated: whole.isEstimated };
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

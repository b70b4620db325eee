import { possibleInWords } from "../../../doomloop/src/scan/report/answer.ts";
import type { LoopSummary } from "../../../doomloop/src/scan/report/report.ts";
import { includes, joined, type Span, sizeOf } from "../../../doomloop/src/scan/report/spans.ts";
import { capitalized, count, isOfAnswers } from "../../../doomloop/src/scan/report/words.ts";

/** The calls of a loop. Reports of earlier versions name only its first and its last call. */
export function callsOf({ calls, onset, end }: LoopSummary): readonly Span[] {
  return calls ?? [[onset, end]];
}

export function isInLoop(call: number, loop: LoopSummary): boolean {
  return includes(callsOf(loop), call);
}

/** How many calls belong to at least one loop. Calls that lie between the calls of a loop do not. */
export function callsInLoops(loops: readonly LoopSummary[]): number {
  return sizeOf(joined(loops.flatMap(callsOf)));
}

/** What a run is about, as a heading: `Codex CLI went in circles for 38 of 39 calls`, or for answers without a call. */
export function runInWords(agent: string, loops: readonly LoopSummary[], total: number): string {
  const sure = loops.filter(({ isPossible }) => isPossible !== true);
  if (sure.length === 0) return capitalized(possibleInWords({ possibleLoops: loops.length }) ?? "no loops");
  const calls = callsInLoops(sure);
  const answers = sure.filter(isOfAnswers).reduce((sum, loop) => sum + answersOf(loop), 0);
  const parts = [
    ...(calls > 0 || answers === 0 ? [`${count(Math.min(total, calls))} of ${count(total, "call")}`] : []),
    ...(answers > 0 ? [count(answers, "answer")] : []),
  ];
  return `${agent} went in circles for ${parts.join(" and ")}`;
}

/** The same words over and over are one answer. */
function answersOf({ kind, count: times }: LoopSummary): number {
  return kind === "repeated-text" ? 1 : times;
}

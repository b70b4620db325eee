import { isSome, knownSpending, moneyInWords, tokensInWords } from "./amounts.ts";
import { count } from "./count.ts";
import type { Amount, Totals } from "./report.ts";
import { sessionsInWords } from "./sessions-in-words.ts";

/** The answer that a scan gives, in a sentence or two: how many sessions went in circles, and what was spent on it. */
export function answerInWords(totals: Totals): string {
  if (totals.loops === 0) return `No loops in ${sessionsInWords(totals)}, ${count(totals.calls, "call")}.`;
  const circles = `${count(totals.sessionsWithLoops)} of ${count(totals.sessions, "session")} went in circles.`;
  if (isNothing(totals.afterOnset)) return circles;
  return `${circles} After the first nudge would have come, ${totals.sessionsWithLoops === 1 ? "it" : "they"} ${spent(totals)}.`;
}

/** As well as it is known: money, else tokens, else calls. */
function spent({ afterOnset, costUsd, tokens, calls }: Totals): string {
  if (isSome(afterOnset.costUsd)) return `spent ${share(moneyInWords, afterOnset.costUsd, costUsd)}`;
  if (isSome(afterOnset.tokens)) return `spent ${share(tokensInWords, afterOnset.tokens, tokens)}`;
  return `made ${count(afterOnset.calls)} of ${count(calls, "call")}`;
}

function share(inWords: (amount: Amount) => string, part: Amount, whole: Amount | null): string {
  return isSome(whole) ? `${inWords(part)} of ${inWords(whole)}` : inWords(part);
}

function isNothing(afterOnset: Totals["afterOnset"]): boolean {
  return afterOnset.calls === 0 && knownSpending(afterOnset) === undefined;
}

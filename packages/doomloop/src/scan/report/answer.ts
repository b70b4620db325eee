import { isClose, isSome, knownSpending, lateSpending, moneyInWords, sumAmounts, tokensInWords } from "./amounts.ts";
import type { Amount, LateSpending, LoopSummary, Report, Spent, StoppedScan, Totals } from "./report.ts";
import { actionWords, capitalized, count, decidedInWords, sessionsInWords, spanInWords } from "./words.ts";

/** How far a scan came: `3 of 40 files read`. */
export function readInWords({ read, files }: StoppedScan): string {
  return `${count(read)} of ${count(files, "file")} read`;
}

/**
 * The result of a scan in a few sentences: how many sessions went in circles, what that cost, and how many loops are
 * only possible. If the scan did not read everything, that comes first.
 */
export function answerInWords({ totals, loops, stopped }: Pick<Report, "totals" | "loops" | "stopped">): string {
  const [soFar, begin] =
    stopped == null
      ? ["", capitalized]
      : [" so far", (text: string) => `Not complete, ${readInWords(stopped)}: ${text}`];
  const possible = possibleInWords(totals);
  return [begin(answerOf({ totals, loops }, soFar)), ...(possible === undefined ? [] : [`${possible}.`])].join(" ");
}

function answerOf({ totals, loops }: Pick<Report, "totals" | "loops">, soFar: string): string {
  if (totals.loops === 0) return `no loops${soFar} in ${sessionsInWords(totals)}, ${count(totals.calls, "call")}.`;
  const spent = spentLateInWords({ totals, loops });
  return [circlesInWords(totals, soFar), ...(spent === undefined ? [] : [spent])].map((words) => `${words}.`).join(" ");
}

/** How many sessions had loops: `2 of 4 sessions went in circles`. `soFar` follows the number of sessions. */
export function circlesInWords({ sessionsWithLoops, sessions }: Totals, soFar = ""): string {
  if (sessions === 1 && sessionsWithLoops === 1) return `the only session${soFar} went in circles`;
  return `${count(sessionsWithLoops)} of ${count(sessions, "session")}${soFar} went in circles`;
}

/** The number of possible loops: `2 possible loops`. Undefined if there are none. */
export function possibleInWords({ possibleLoops }: Pick<Totals, "possibleLoops">): string | undefined {
  // Reports of earlier versions do not know them.
  const number = possibleLoops ?? 0;
  return number === 0 ? undefined : `${count(number)} possible ${number === 1 ? "loop" : "loops"}`;
}

/** What all sessions cost: `the sessions cost about $3.46 to $3.49`. Undefined if that is not known closely. */
export function costInWords({ costUsd, sessions, unpricedSessions }: Totals): string | undefined {
  if (!isSome(costUsd) || !isClose(costUsd)) return undefined;
  const without = unpricedSessions > 0 ? `, without ${count(unpricedSessions)} of unknown price` : "";
  return `the ${sessions === 1 ? "session" : "sessions"} cost ${moneyInWords(costUsd)}${without}`;
}

/**
 * What loops cost: `$0.06 of $0.41 was spent after doomloop would have stepped in`. Undefined if they cost nothing.
 *
 * Money if it is known closely, and the tokens of loops without a price, else tokens, else calls and time.
 */
export function spentLateInWords({ totals, loops }: Pick<Report, "totals" | "loops">): string | undefined {
  const late = lateSpending(totals.afterOnset);
  if (isNothing(totals.afterOnset) && knownSpending(late) === undefined) return undefined;
  const stepped = "after doomloop would have stepped in";
  const money = share(moneyInWords, late.costUsd, totals.costUsd);
  if (money !== undefined) {
    const unpriced = sumAmounts(loops.map(({ afterOnset }) => unpricedTokens(lateSpending(afterOnset))));
    if (!isSome(unpriced)) return `${capitalized(money)} was spent ${stepped}`;
    return `${capitalized(money)}, and ${tokensInWords(unpriced)} without a price, were spent ${stepped}`;
  }
  const why = isSome(late.costUsd) ? ". The cost is not known closely, because transcripts have no token counts" : "";
  const tokens = share(tokensInWords, late.tokens, totals.tokens);
  const spent = tokens === undefined ? callsAndTime(totals) : `${capitalized(tokens)} were spent`;
  return `${spent} ${stepped}${why}`;
}

function unpricedTokens({ costUsd, tokens }: Spent): Amount | null {
  return costUsd === null ? tokens : null;
}

function callsAndTime({ afterOnset, calls: all }: Totals): string {
  const { calls, timeMs } = afterOnset;
  if (calls === 0) return `${stepsInWords(afterOnset)} were given`;
  return `${count(calls)} of ${count(all, "call")} ${calls === 1 ? "was" : "were"} made${inTime(timeMs)}`;
}

function inTime(timeMs: number | null | undefined): string {
  return timeMs == null || timeMs < 1_000 ? "" : ` in ${spanInWords(timeMs)}`;
}

/** A part of a whole. Undefined if there is none, or if one of them is not known closely. */
function share(inWords: (amount: Amount) => string, part: Amount | null, whole: Amount | null): string | undefined {
  if (!isSome(part) || !isClose(part) || (isSome(whole) && !isClose(whole))) return undefined;
  return isSome(whole) ? `${inWords(within(part, whole))} of ${inWords(whole)}` : inWords(part);
}

/** The part as an amount that is not above the whole, whatever was estimated. */
function within(part: Amount, whole: Amount): Amount {
  return { ...part, low: Math.min(part.low, whole.low), high: Math.min(part.high, whole.high) };
}

/**
 * What a loop spent after the guard would have stepped in: `spent about $1.20 after the guard would have nudged it at
 * call 12`.
 *
 * Follows the name of an agent. Gives money if it is known closely, else tokens, else calls.
 */
export function spentAfterInWords(loop: Pick<LoopSummary, "calls" | "decisions" | "afterOnset">): string {
  const { decisions, afterOnset } = loop;
  const [first] = decisions.toSorted((one, other) => one.call - other.call);
  const since =
    first === undefined
      ? "after the guard would have stepped in"
      : `after the guard would have ${actionWords(first.action).done} it ${decidedInWords(first.call, loop)}`;
  return `${spentOn(afterOnset)} ${since}`;
}

/**
 * What a loop spent after that, as figures to list: money, or else tokens if they are known closely, and its calls. If
 * neither is known, only the calls and their time.
 */
export function lateFigures(afterOnset: LateSpending): readonly string[] {
  const known = lateInWords(afterOnset);
  const steps = stepsInWords(afterOnset);
  return known === undefined ? [`${steps}${inTime(afterOnset.timeMs)}`] : [known, steps];
}

/** What a loop spent after that: money, or else tokens if they are known closely. Undefined if neither is known. */
function lateInWords(afterOnset: LateSpending): string | undefined {
  const { costUsd, tokens } = lateSpending(afterOnset);
  return lateMoney(costUsd) ?? closelyKnown({ costUsd: null, tokens });
}

/** The money that a loop spent. If it is not known closely, how much at most. Undefined if there is no price. */
export function lateMoney(costUsd: Amount | null): string | undefined {
  if (!isSome(costUsd)) return undefined;
  return moneyInWords(isClose(costUsd) ? costUsd : { ...costUsd, low: 0 });
}

/** What the agent did after that: `12 calls`, or `15 answers` if none of them made a call. */
export function stepsInWords({ calls, answers = 0 }: LateSpending): string {
  return calls === 0 && answers > 0 ? count(answers, "answer") : count(calls, "call");
}

/** Whether nothing came after that but what counts for another loop. */
export function isNothing({ calls, answers = 0 }: LateSpending): boolean {
  return calls === 0 && answers === 0;
}

/** Money if any was spent and it is known closely, else tokens. Undefined if neither is. */
export function closelyKnown({ costUsd, tokens }: Spent): string | undefined {
  if (isSome(costUsd) && isClose(costUsd)) return moneyInWords(costUsd);
  return isSome(tokens) && isClose(tokens) ? tokensInWords(tokens) : undefined;
}

function spentOn(afterOnset: LateSpending): string {
  const known = lateInWords(afterOnset);
  if (known !== undefined) return `spent ${known}`;
  if (isNothing(afterOnset)) return "added nothing to the cost";
  const [number, ...noun] = stepsInWords(afterOnset).split(" ");
  return `${afterOnset.calls > 0 ? "made" : "gave"} ${number} more ${noun.join(" ")}`;
}

import type { Reason } from "../../core/reason.ts";
import { isSome, knownSpending, moneyInWords, tokensInWords } from "./amounts.ts";
import type { Amount, CostFrom, LoopSummary, Totals } from "./report.ts";

interface KindWords {
  readonly name: string;
  readonly meaning: string;
}

const KINDS = new Map<string, KindWords>(
  Object.entries({
    "call-cycle": { name: "Calls in turn", meaning: "The same few calls in turn, with the same results." },
    "repeated-call": { name: "Same call again", meaning: "The same call with the same result." },
    "similar-call": { name: "Nearly the same call", meaning: "Calls that differ a little, with the same results." },
    "same-outcome": { name: "Same outcome", meaning: "Different calls that came to one and the same outcome." },
    "test-fix": {
      name: "Fixes without effect",
      meaning: "The same check failed again and again, whatever was changed.",
    },
    "failure-streak": { name: "Failures in a row", meaning: "Call after call of one tool failed." },
    stalled: {
      name: "Many ways to nothing",
      meaning: "One thing was tried in other words, and nothing new came of it.",
    },
    "repeated-text": { name: "Same words again", meaning: "The same words over and over within one answer." },
    "text-only": { name: "Words, no work", meaning: "Answer after answer without a call." },
    custom: { name: "Your own", meaning: "What a detector of your own has found." },
    fleet: { name: "Whole swarm stuck", meaning: "Many workers stuck on the same call." },
  }),
);

/** A kind of loop in plain words. An unknown kind keeps its own name. */
export function kindWords(kind: string): KindWords {
  return KINDS.get(kind) ?? { name: kind, meaning: "" };
}

/** A text with its first letter in upper case, to begin a sentence. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** A number, with a noun in the right form: `12,345`, `1 run`, `2 loops in all`. Only the first word is made plural. */
export function count(number: number, noun?: string): string {
  const figure = Math.round(number).toLocaleString("en-US");
  if (noun === undefined) return figure;
  const [first, ...rest] = noun.split(" ");
  return [figure, number === 1 ? first : `${first}s`, ...rest].join(" ");
}

/** Where in a run something happened. Every output counts calls from 1. */
export function callsInWords(first: number, last: number): string {
  return first === last ? `call ${first}` : `calls ${first} to ${last}`;
}

interface ActionWords {
  /** Completes "the guard would have ...". */
  readonly done: string;
  readonly meaning: string;
  /** A distinct shape, so that the meaning does not depend on colour. */
  readonly mark: string;
}

const ACTIONS = new Map<string, ActionWords>(
  Object.entries({
    nudge: { done: "nudged", meaning: "told the agent that it repeats itself", mark: "▲" },
    block: { done: "blocked", meaning: "not run this call", mark: "■" },
    restart: { done: "restarted", meaning: "started over from a checkpoint", mark: "↺" },
    stop: { done: "stopped", meaning: "ended the run", mark: "✕" },
  }),
);

export const ACTION_ORDER: readonly string[] = [...ACTIONS.keys()];

export function actionWords(action: string): ActionWords {
  return ACTIONS.get(action) ?? { done: action, meaning: "", mark: "?" };
}

/** Each completes "not counted as a repeat: ...". A call with a new outcome is not a repeat and needs no words. */
const WORDS: Readonly<Record<Exclude<Reason, "new-outcome">, string>> = {
  "changed-world": "something was changed in between",
  "user-spoke": "the user spoke in between",
  "news-in-lap": "something new was learned in between",
  waiting: "it was waiting for something",
  sampling: "a value or a measurement may be asked for several times",
  "same-round": "it was made together with an equal call",
  compaction: "the conversation was compacted in between",
  "says-nothing": "its answer tells nothing of what came of the call",
};

const KNOWN = new Map<string, string>(Object.entries(WORDS));

/** Why a repeat did not count, in plain words. An unknown reason keeps its own name: escape before showing. */
export function reasonWords(reason: string): string {
  return KNOWN.get(reason) ?? reason;
}

/** The number of sessions, and the number of agents if it differs: `1 session, 2 agents`. */
export function sessionsInWords({ sessions, agents }: Pick<Totals, "sessions" | "agents">): string {
  const whole = count(sessions, "session");
  return agents === sessions ? whole : `${whole}, ${count(agents, "agent")}`;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** A time span in words, with its two largest units up to two days: `58 s`, `4 min 10 s`, `3 h 5 min`, `12 days`. */
export function spanInWords(spanMs: number): string {
  const seconds = Math.ceil(Math.max(0, spanMs) / 1000);
  if (seconds < HOUR) return twoUnits(seconds, MINUTE, ["min", "s"]);
  const minutes = Math.round(seconds / 60);
  return minutes < 48 * 60 ? twoUnits(minutes, 60, ["h", "min"]) : `${Math.round(minutes / 1440)} days`;
}

function twoUnits(amount: number, size: number, [large, small]: readonly [string, string]): string {
  const [whole, rest] = [Math.floor(amount / size), amount % size];
  if (whole === 0) return `${rest} ${small}`;
  return rest === 0 ? `${whole} ${large}` : `${whole} ${large} ${rest} ${small}`;
}

/** Text from transcripts is cut to this length. */
const MAX_WHAT = 300;

/**
 * A loop in one line, the same in every output: `Bash npm test, 11 times, calls 15 to 25 (same call again)`. Contains
 * text from the transcript: escape before showing.
 */
export function loopInWords(loop: Pick<LoopSummary, "what" | "count" | "onset" | "end" | "kind">): string {
  const { what, onset, end, kind } = loop;
  const times = count(loop.count, "time");
  return `${what.slice(0, MAX_WHAT)}, ${times}, ${callsInWords(onset, end)} (${kindWords(kind).name.toLowerCase()})`;
}

/** Where a session's cost comes from, to follow the figure. Undefined if there is no cost. */
export function costSourceInWords(costFrom: CostFrom | null, pricesAsOf: string | null): string | undefined {
  const prices = pricesAsOf === null ? "list prices" : `list prices of ${pricesAsOf}`;
  switch (costFrom) {
    case "recorded":
      return "as the agent recorded it";
    case "priced":
      return `by ${prices}`;
    case "estimated":
      return `estimated from text, by ${prices}`;
    default:
      return undefined;
  }
}

/** The result of a scan in a sentence or two: how many sessions went in circles, and what that cost. */
export function answerInWords(totals: Totals): string {
  if (totals.loops === 0) return `No loops in ${sessionsInWords(totals)}, ${count(totals.calls, "call")}.`;
  const circles = `${count(totals.sessionsWithLoops)} of ${count(totals.sessions, "session")} went in circles.`;
  if (isNothing(totals.afterOnset)) return circles;
  return `${circles} ${capitalized(spentLate(totals))} after doomloop would have stepped in.`;
}

/** Money if known, else tokens, else calls. */
function spentLate({ afterOnset, costUsd, tokens, calls }: Totals): string {
  if (isSome(afterOnset.costUsd)) return `${share(moneyInWords, afterOnset.costUsd, costUsd)} was spent`;
  if (isSome(afterOnset.tokens)) return `${share(tokensInWords, afterOnset.tokens, tokens)} were spent`;
  return `${count(afterOnset.calls)} of ${count(calls, "call")} ${afterOnset.calls === 1 ? "was" : "were"} made`;
}

function share(inWords: (amount: Amount) => string, part: Amount, whole: Amount | null): string {
  return isSome(whole) ? `${inWords(part)} of ${inWords(whole)}` : inWords(part);
}

function isNothing(afterOnset: Totals["afterOnset"]): boolean {
  return afterOnset.calls === 0 && knownSpending(afterOnset) === undefined;
}

/**
 * What a loop spent after the guard would have stepped in: `spent about $1.20 after the guard would have nudged it at
 * call 12`.
 *
 * Follows the name of an agent. Gives money if known, else tokens, else calls.
 */
export function spentAfterInWords({ decisions, afterOnset }: Pick<LoopSummary, "decisions" | "afterOnset">): string {
  const [first] = decisions.toSorted((one, other) => one.call - other.call);
  const since =
    first === undefined
      ? "after the guard would first have spoken"
      : `after the guard would have ${actionWords(first.action).done} it at call ${count(first.call)}`;
  return `${spentOn(afterOnset)} ${since}`;
}

function spentOn(afterOnset: LoopSummary["afterOnset"]): string {
  const known = knownSpending(afterOnset);
  if (known !== undefined) return `spent ${known}`;
  const { calls } = afterOnset;
  return calls > 0 ? `made ${count(calls, "call")} more` : "spent nothing of its own";
}

import type { Reason } from "../../core/reason.ts";
import { isSome, knownSpending, moneyInWords, tokensInWords } from "./amounts.ts";
import type { Amount, CostFrom, LoopSummary, Totals } from "./report.ts";

const MAX_WHAT = 300;

const MINUTE = 60;

const HOUR = 60 * MINUTE;

/** Each completes "not counted as a repeat: ...". What came back new is no repeat, and has no words. */
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

const ACTIONS = new Map<string, ActionWords>(
  Object.entries({
    nudge: { done: "nudged", meaning: "told the agent that it repeats itself", mark: "▲" },
    block: { done: "blocked", meaning: "not run this call", mark: "■" },
    restart: { done: "restarted", meaning: "started over from a checkpoint", mark: "↺" },
    stop: { done: "stopped", meaning: "ended the run", mark: "✕" },
  }),
);

/** The actions of the guard, mildest first. */
export const ACTION_ORDER: readonly string[] = [...ACTIONS.keys()];

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

/** A kind of loop in plain words; one that this page does not know keeps its own name. */
export function kindWords(kind: string): KindWords {
  return KINDS.get(kind) ?? { name: kind, meaning: "" };
}

/** A number, and with a noun its plural: `12,345`, `1 run`, `2 loops in all`. Of several words, the first takes the plural. */
export function count(number: number, noun?: string): string {
  const figure = Math.round(number).toLocaleString("en-US");
  if (noun === undefined) return figure;
  const [first, ...rest] = noun.split(" ");
  return [figure, number === 1 ? first : `${first}s`, ...rest].join(" ");
}

/** Where in a run something happened. Calls are counted from 1, in every output. */
export function callsInWords(first: number, last: number): string {
  return first === last ? `call ${first}` : `calls ${first} to ${last}`;
}

interface ActionWords {
  /** Completes "the guard would have ...". */
  readonly done: string;
  readonly meaning: string;
  /** A shape of its own, so that colour is not needed. */
  readonly mark: string;
}

/** What the guard would have done, in plain words. */
export function actionWords(action: string): ActionWords {
  return ACTIONS.get(action) ?? { done: action, meaning: "", mark: "?" };
}

/** Why a repeat was not counted, in plain words. A reason that nobody knows keeps its own name: escape before showing. */
export function reasonWords(reason: string): string {
  return KNOWN.get(reason) ?? reason;
}

/** How many sessions there are, and how many agents were at work in them where that is another number: `1 session, 2 agents`. */
export function sessionsInWords({ sessions, agents }: Pick<Totals, "sessions" | "agents">): string {
  const whole = count(sessions, "session");
  return agents === sessions ? whole : `${whole}, ${count(agents, "agent")}`;
}

/** A span of time in words, its two largest units up to two days: `58 s`, `4 min 10 s`, `3 h 5 min`, `12 days`. */
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

/** A loop in one line, the same in every output: `Bash npm test, 11 times, calls 15 to 25 (same call again)`. Foreign: escape before showing. */
export function loopInWords(loop: Pick<LoopSummary, "what" | "count" | "onset" | "end" | "kind">): string {
  const { what, onset, end, kind } = loop;
  const times = count(loop.count, "time");
  return `${what.slice(0, MAX_WHAT)}, ${times}, ${callsInWords(onset, end)} (${kindWords(kind).name.toLowerCase()})`;
}

/** Where a session's cost is from, to stand behind the figure; undefined where there is no cost. */
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

/**
 * What a loop went on to spend, and since when: `spent about $1.20 after the guard would have nudged it at call 12`.
 *
 * Follows the name of an agent. Money if there is any, else tokens, else calls: what was done is never nothing.
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

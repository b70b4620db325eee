import type { Reason } from "../../core/finding.ts";
import type { CostFrom, LoopSummary, RepeatedCall, Totals } from "./report.ts";
import { includes, sizeOf } from "./spans.ts";

interface KindWords {
  readonly name: string;
  readonly meaning: string;
}

const KINDS = new Map<string, KindWords>(
  Object.entries({
    "call-cycle": { name: "Repeating cycle", meaning: "The same few calls in the same order, with the same results." },
    "repeated-call": { name: "Same call again", meaning: "The same call again, and it returned nothing new." },
    "similar-call": { name: "Nearly the same call", meaning: "Calls that differ slightly, with the same results." },
    "same-outcome": { name: "Same outcome", meaning: "Different calls that all had the same outcome." },
    "test-fix": {
      name: "Fixes without effect",
      meaning: "The same check kept failing, whatever was changed.",
    },
    "failure-streak": { name: "Failures in a row", meaning: "One tool failed call after call." },
    stalled: {
      name: "Many attempts, nothing new",
      meaning: "The agent tried one thing in several ways or places, and learned nothing new.",
    },
    "repeated-text": { name: "Repeated text", meaning: "The same words over and over in one answer." },
    "text-only": { name: "Answers without tool calls", meaning: "One answer after another, and no tool call." },
    opinion: { name: "No progress, by a second opinion", meaning: "Another model found that the run is stuck." },
    fleet: { name: "Whole fleet stuck", meaning: "Many workers are stuck on the same call." },
  }),
);

/** Only equal calls are called the same. */
const SAME_IN_SUBSTANCE: KindWords = {
  name: "Same thing again",
  meaning: "Calls that ask for the same thing in different ways, and return nothing new.",
};

/**
 * A kind of loop in plain words. An unknown kind keeps its own name. `areEqual`: the calls of the loop have equal
 * arguments.
 */
export function kindWords(kind: string, areEqual = true): KindWords {
  if (kind === "repeated-call" && !areEqual) return SAME_IN_SUBSTANCE;
  return KINDS.get(kind) ?? { name: kind, meaning: "" };
}

/** A text with its first letter in upper case, to begin a sentence. */
export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What spellings of one tool share: case and separators do not tell tools apart. */
export function toolKey(tool: string): string {
  return tool.toLowerCase().replaceAll(/[\s_.:/-]/g, "") || tool;
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
    nudge: { done: "nudged", meaning: "told the agent that it is repeating itself", mark: "▲" },
    block: { done: "blocked", meaning: "refused this call", mark: "■" },
    restart: { done: "restarted", meaning: "started over from a checkpoint", mark: "↺" },
    stop: { done: "stopped", meaning: "ended the run", mark: "✕" },
  }),
);

export const ACTION_ORDER: readonly string[] = [...ACTIONS.keys()];

export function actionWords(action: string): ActionWords {
  return ACTIONS.get(action) ?? { done: action, meaning: "", mark: "?" };
}

/** Each completes "adds nothing: ...". */
const WORDS: Readonly<Record<Reason, string>> = {
  "new-outcome": "it returned something new",
  "changed-world": "something was changed in between",
  "user-spoke": "the user said something in between",
  "news-in-lap": "the agent learned something new in between",
  waiting: "it came after a pause, or was waiting for something",
  "asked-for": "the user asked for this many calls",
  "same-round": "it was made in parallel with an identical call",
  compaction: "the conversation was compacted in between",
};

const KNOWN = new Map<string, string>(Object.entries(WORDS));

/** Each completes "26 times, 9 of them ...". */
const PASSED = new Map<string, string>(
  Object.entries({
    "new-outcome": "with something new",
    "changed-world": "after a change",
    "user-spoke": "after the user said something",
    "news-in-lap": "after learning something new",
    waiting: "after a pause or waiting",
    "asked-for": "as the user asked for",
    "same-round": "in parallel with an identical call",
    compaction: "after a compaction",
  } satisfies Record<Reason, string>),
);

/** Why a repeat added nothing, in plain words. An unknown reason keeps its own name: escape before showing. */
export function reasonWords(reason: string): string {
  return KNOWN.get(reason) ?? reason;
}

/** The same, to stand beside a step: `adds nothing: something was changed in between`. */
export function addsNothing(reason: string): string {
  return `adds nothing: ${reasonWords(reason)}`;
}

/** How much a repeat adds to the evidence: `+1` for a plain one, `+0.22` for a click that says "ok". */
export function addedInWords(added: number): string {
  return `+${Math.round(100 * added) / 100}`;
}

/** The evidence of a loop: `evidence 7.4, where a plain repeat adds 1`. */
export function evidenceInWords({ weight }: Pick<LoopSummary, "weight">): string {
  return `evidence ${Math.round(10 * weight) / 10}, where a plain repeat adds 1`;
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

type Placed = Pick<LoopSummary, "count" | "period" | "onset" | "end" | "calls" | "uncounted">;

/**
 * How often something was made, and why some of it did not count: `26 times, 9 of them after a pause`. If not all
 * reasons are known, it gives none. Contains the names of unknown reasons: escape before showing.
 */
export function timesInWords(loop: Placed): string {
  const times = count(loop.count, "time");
  const passed = passedOver(loop);
  return passed === undefined ? times : `${times}, ${passed}`;
}

/** The repeats of a loop that did not count: `9 of them after a pause`. Undefined if all counted. */
export function passedOver({
  count: made,
  period,
  onset,
  end,
  calls = [],
  uncounted = [],
}: Placed): string | undefined {
  // Reports of earlier versions name no calls.
  const passed = period === null && calls.length > 0 ? made - sizeOf(calls) : 0;
  if (passed <= 0) return undefined;
  const within = uncounted.filter(({ call }) => call >= onset && call <= end && !includes(calls, call));
  const reasons = new Map<string, number>();
  for (const { reason } of within) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  if (within.length < passed) return `${count(passed)} of them not counted`;
  const inWords = [...reasons]
    .sort((one, other) => other[1] - one[1])
    .map(([reason, number]) => ({ words: PASSED.get(reason) ?? reason, number }));
  if (inWords.length === 1) return `${count(passed)} of them ${inWords[0]!.words}`;
  const listed = inWords.map(({ words, number }) => `${count(number)} ${words}`).join(", ");
  return `${count(passed)} of them not counted (${listed})`;
}

/** Whether a loop consists of answers: no call belongs to it. Reports of earlier versions name no calls. */
export function isOfAnswers({ calls }: Partial<Pick<LoopSummary, "calls">>): boolean {
  return calls?.length === 0;
}

/** Where the guard would have done something: `at call 12`. Answers come after a call. */
export function decidedInWords(call: number, loop: Partial<Pick<LoopSummary, "calls">>): string {
  if (!isOfAnswers(loop)) return `at call ${count(call)}`;
  return call === 0 ? "before the first call" : `after call ${count(call)}`;
}

/**
 * Where a loop lies in its run: `calls 4 to 11`, or `between calls 9 and 54` if other work lies between its calls.
 * `after call 3` for answers.
 */
export function placeInWords(loop: Omit<Placed, "count" | "period">): string {
  const { onset, end } = loop;
  if (isOfAnswers(loop)) return decidedInWords(onset, loop);
  return isInRow(loop) ? callsInWords(onset, end) : `between calls ${onset} and ${end}`;
}

/** Whether no other work lies between the calls of a loop. */
export function isInRow({ onset, end, calls = [], uncounted = [] }: Omit<Placed, "count" | "period">): boolean {
  const passed = uncounted.filter(({ call }) => call > onset && call < end && !includes(calls, call)).length;
  return calls.length === 0 || sizeOf(calls) + passed >= end - onset + 1;
}

/** Text from transcripts is cut to this length. */
const MAX_WHAT = 300;

/**
 * A loop in one line, the same in every output: `npm test, 11 times, calls 15 to 25 (same call again)`. Contains
 * text from the transcript: escape before showing.
 */
export function loopInWords(loop: Placed & Pick<LoopSummary, "what" | "kind" | "areEqual">): string {
  const { what, kind, areEqual } = loop;
  const name = kindWords(kind, areEqual).name.toLowerCase();
  return `${what.slice(0, MAX_WHAT)}, ${timesInWords(loop)}, ${placeInWords(loop)} (${name})`;
}

/** Why a loop is only a possible one, for all of them. */
export const ABOUT_POSSIBLE =
  "The agent left them by itself, or they came to something at last. So they are not counted as loops.";

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

const MAX_TEXT = 120;

/** A call that was made often, and why it is no loop. Contains text from transcripts: escape before showing. */
export function repeatInWords({ what, times, reason, session }: RepeatedCall): {
  readonly what: string;
  readonly why: string;
} {
  const why = reason === null ? "it did not come back often enough in a row" : reasonWords(reason);
  return { what: `${what.slice(0, MAX_TEXT)}, ${count(times, "time")} in session ${session}`, why: `mostly ${why}` };
}

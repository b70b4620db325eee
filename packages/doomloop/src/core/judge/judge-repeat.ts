import type { KnownOutcome } from "../memory/known-outcome.ts";
import { hasLearnedSince } from "../memory/run-state.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Reason } from "../reason.ts";
import { isKnownNow, type Moment } from "./moment.ts";

/** What it is worth that an outcome came back. */
export interface Verdict {
  /** It counts as barren, it is passed over, or counting begins anew with it. */
  readonly weight: "counts" | "passes" | "begins-anew";
  /** Why it does not count. */
  readonly reason: Reason | undefined;
}

const COUNTS: Verdict = { weight: "counts", reason: undefined };
/** After this many compactions without anything new in between, looking again is what the run consists of. */
const MAX_RECALLS = 2;
/** Answers up to this length tell nothing of what an act came to. */
const MUTE = 20;
/** Answers up to this length may be readings, throws or votes. */
const SHORT_ANSWER = 80;
/** Equal ones in a row after which more of them tell nothing. */
const SAMPLES = 5;
const MANY_SAMPLES = 8;

/**
 * Judges a repeat: is it barren, and if not, why not?
 *
 * `hasOthers`: the call came back with something else, too. `isPatient`: the step waits, and may.
 */
export function judgeRepeat(known: KnownOutcome, moment: Moment, hasOthers: boolean, isPatient: boolean): Verdict {
  const { state, step } = moment;
  if (known.turn !== state.turn) return beginsAnew("user-spoke");
  if (!isKnownNow(known, moment)) return beginsAnew("changed-world");
  if (known.rounds.includes(step.round)) return passes("same-round");
  if (isRecall(known, moment)) return passes("compaction");
  if (isPatient) return passes("waiting");
  if (hasNewsInLap(known, moment)) {
    if (known.newsLaps + 1 >= moment.workingLaps) return beginsAnew("news-in-lap");
    // A failure that comes back after one digression is the failure that was there before it.
    if (!moment.isFailing) return passes("news-in-lap");
  }
  if (isMuteAct(known, moment)) return passes("says-nothing");
  if (hasOthers && isSample(known, moment)) return passes("sampling");
  return COUNTS;
}

/**
 * Whether the run has learned something since the outcome was last seen. What came together with it counts, too, except for the first time:
 * then the outcome itself was news.
 */
export function hasNewsInLap(known: KnownOutcome, { state, rules }: Moment): boolean {
  return rules.progress.news && hasLearnedSince(state, known.isFirst ? known.round : known.round - 1);
}

/** Whether an outcome that is known would count as barren if it came again now. */
export function wouldCount(known: KnownOutcome, moment: Moment): boolean {
  const again: Moment = { ...moment, isFailing: known.isFailing, length: known.length };
  return judgeRepeat(known, again, false, false).weight === "counts";
}

/** One of several short answers, neither many times in a row nor dozens of times in all. */
function isSample(known: KnownOutcome, { length }: Moment): boolean {
  if (length === undefined || length > SHORT_ANSWER) return false;
  return known.inRow + 1 < SAMPLES && known.sampled < MANY_SAMPLES;
}

/** "ok", "Clicked" and silence of a call that acts: no evidence, unless it does nothing else. */
function isMuteAct(known: KnownOutcome, { step, isFailing, length }: Moment): boolean {
  if (length === undefined || isFailing || length > MUTE || step.index - known.index <= 1) return false;
  if (step.facts.isCommand) return false;
  const { kind } = factsOf(step).effect;
  return kind === "page" || kind === "change" || kind === "unknown";
}

/** A first look after a compaction: what was read before is forgotten, by no fault of the agent's. */
function isRecall(known: KnownOutcome, { state, step, isFailing }: Moment): boolean {
  if (known.compaction === state.compaction || state.compaction - known.firstCompaction > MAX_RECALLS) return false;
  return !isFailing && factsOf(step).effect.kind !== "change";
}

function passes(reason: Reason): Verdict {
  return { weight: "passes", reason };
}

function beginsAnew(reason: Reason): Verdict {
  return { weight: "begins-anew", reason };
}

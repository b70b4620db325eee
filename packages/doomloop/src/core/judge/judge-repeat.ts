import { isKnownNow, type KnownOutcome, type Moment } from "./known-outcome.ts";
import type { Reason } from "./reason.ts";

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
  if (known.turn !== moment.turn) return beginsAnew("user-spoke");
  if (!isKnownNow(known, moment)) return beginsAnew("changed-world");
  if (known.rounds.includes(moment.round)) return passes("same-round");
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
export function hasNewsInLap(known: KnownOutcome, moment: Moment): boolean {
  return moment.hasNewsSince(known.isFirst ? known.round : known.round - 1);
}

/** One of several short answers, neither many times in a row nor dozens of times in all. */
function isSample(known: KnownOutcome, { length }: Moment): boolean {
  if (length === undefined || length > SHORT_ANSWER) return false;
  return known.inRow + 1 < SAMPLES && known.sampled < MANY_SAMPLES;
}

/** "ok", "Clicked" and silence of a call that acts: no evidence, unless it does nothing else. */
function isMuteAct(known: KnownOutcome, moment: Moment): boolean {
  if (moment.length === undefined || moment.isFailing || moment.length > MUTE || moment.index - known.index <= 1)
    return false;
  if (moment.facts.isCommand) return false;
  const { kind } = moment.facts.effect;
  return kind === "page" || kind === "change" || kind === "unknown";
}

/** A first look after a compaction: what was read before is forgotten, by no fault of the agent's. */
function isRecall(known: KnownOutcome, moment: Moment): boolean {
  if (moment.compaction - known.firstCompaction > MAX_RECALLS) return false;
  return known.compaction !== moment.compaction && !moment.isFailing && moment.facts.effect.kind !== "change";
}

function passes(reason: Reason): Verdict {
  return { weight: "passes", reason };
}

function beginsAnew(reason: Reason): Verdict {
  return { weight: "begins-anew", reason };
}

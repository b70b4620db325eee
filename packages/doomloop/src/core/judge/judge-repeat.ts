import type { KnownOutcome } from "../memory/known-outcome.ts";
import { hasLearnedSince } from "../memory/run-state.ts";
import { saysItIsOver, saysWhatChanged } from "../outcome/answer-says.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Reason } from "../reason.ts";
import { intentOf } from "../words/stated-intent.ts";
import { isKnownNow, type Moment } from "./moment.ts";
import type { Recollection } from "./occurrences.ts";
import { type Brought, broughtBy, type Cell, SAMPLES, SURE, TABLE } from "./table.ts";

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
/** After this many, what is found besides is no progress either. */
const MAX_REFILLS = 4;
/** Laps in a row that bring news: one is a digression, two are a way of working. */
const WORKING_LAPS = 2;
/** How often something is measured that is to be measured until something comes out. */
const UNTIL = 50;

/** Judges a repeat: is it barren, and if not, why not? `isPatient`: the step waits, and may. */
export function judgeRepeat({ known, hasOthers }: Recollection, moment: Moment, isPatient: boolean): Verdict {
  const { state, step, isBatch } = moment;
  if (known.turn !== state.turn) return beginsAnew("user-spoke");
  if (!isKnownNow(known, moment)) return beginsAnew("changed-world");
  if (known.rounds.includes(step.round)) return passes("same-round");
  if (isRecall(known, moment)) return passes("compaction");
  if (isPatient) return passes("waiting");
  const brought = broughtIn(moment);
  if (hasNewsInLap(known, moment) && !isRefill(known, moment)) {
    // What an act came to is seen by the look that follows it, not by its own word.
    const isShownElsewhere = brought === "mute" || brought === "nothing";
    const isWork = isShownElsewhere || isBatch || known.newsLaps + 1 >= WORKING_LAPS;
    if (isWork) return beginsAnew("news-in-lap");
    // A failure that comes back after one digression is the failure that was there before it.
    if (brought !== "failure") return passes("news-in-lap");
  }
  if (brought === undefined || countsPlainly(moment)) return COUNTS;
  if (changesAgain(moment)) return beginsAnew("changed-world");
  if (isOver(moment)) return COUNTS;
  const { forgives, as } = hasOthers && isSample(moment, brought) ? SAMPLES : cellOf(moment);
  if (known.forgiven < forgives) return passes(as);
  return known.forgiven < timesAskedFor(moment) ? passes("sampling") : COUNTS;
}

/** Whoever names a threshold or a patience for a tool means it. */
function countsPlainly({ rules: { progress, rule } }: Moment): boolean {
  return !progress.forgives || rule.threshold !== undefined || typeof rule.poll === "object";
}

/** What repeats of a step are worth, by what it does and what it brought. */
export function cellOf(moment: Moment): Cell {
  const { step, rules } = moment;
  const brought = broughtIn(moment);
  if (brought === undefined || !rules.progress.forgives) return SURE;
  const { act } = factsOf(step).reading;
  // The same order, payment or setting again is the same again.
  if (act === "writes" && step.hasContent && brought !== "failure") return TABLE.says[brought];
  // What is wrong, or not allowed, stays so, whoever is asked.
  const isForGood = step.failure?.isFaultyCall === true || step.failure?.isClosedDoor === true;
  return TABLE[isForGood && act !== "says" ? "looks" : act][brought];
}

/** What the step brings if it came before; undefined where no outcome was looked at. */
export function broughtIn({ step, outcome }: Moment): Brought | undefined {
  return outcome === undefined ? undefined : broughtBy(step);
}

/** Whether the run has learned something since the outcome was last seen. What came together with it counts, too, except for the first time: then the outcome itself was news. */
export function hasNewsInLap(known: KnownOutcome, { state, rules }: Moment): boolean {
  return rules.progress.news && hasLearnedSince(state, known.isFirst ? known.round : known.round - 1);
}

/** How often the user wants it done: so often, or until something comes out. */
function timesAskedFor({ state, step }: Moment): number {
  const { times, isWatching } = intentOf(state.intent);
  return isWatching && factsOf(step).reading.act === "measures" ? Math.max(times, UNTIL) : times;
}

/** An act that says how much it changed has changed it, although it is made again: the next thousand rows. */
function changesAgain({ step, outcome, rules }: Moment): boolean {
  if (!rules.progress.worldChange || step.failure !== undefined) return false;
  const { act } = factsOf(step).reading;
  return (act === "steps" || act === "runs") && saysWhatChanged(outcome!.text);
}

/** What is watched says that it is over: asking again tells nothing more. */
function isOver({ step, outcome }: Moment): boolean {
  const { act } = factsOf(step).reading;
  return (act === "watches" || act === "waits") && step.failure === undefined && saysItIsOver(outcome!.text);
}

/** One of several short values that the call comes back with. */
function isSample({ step }: Moment, brought: Brought): boolean {
  const { act } = factsOf(step).reading;
  if (act === "measures") return true;
  return (brought === "mute" || brought === "reading") && act !== "asks" && act !== "says" && act !== "looks";
}

/** A first look after a compaction: what was read before is forgotten, by no fault of the agent's. */
function isRecall(known: KnownOutcome, { state, step }: Moment): boolean {
  if (known.compaction === state.compaction || state.compaction - known.firstCompaction > MAX_RECALLS) return false;
  return step.failure === undefined && factsOf(step).reading.act !== "writes";
}

/** The same look after every compaction, with nothing changed in all that time: what else is found each time is forgotten, too. */
function isRefill(known: KnownOutcome, { state }: Moment): boolean {
  return state.compaction - known.firstCompaction > MAX_REFILLS;
}

function passes(reason: Reason): Verdict {
  return { weight: "passes", reason };
}

function beginsAnew(reason: Reason): Verdict {
  return { weight: "begins-anew", reason };
}

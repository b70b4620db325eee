import { pushLatest, setRecent } from "../collections/bounded.ts";
import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import {
  countOnce,
  type KnownOutcome,
  latestOf,
  newOutcome,
  passOver,
  startOver,
  waitOn,
  weaker,
} from "../memory/known-outcome.ts";
import type { RunState } from "../memory/run-state.ts";
import { compareSteps } from "../memory/views.ts";
import { isOfLength } from "../outcome/compare-outcomes.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Repeat, Step } from "../step.ts";
import { hasNewsInLap, type Verdict } from "./judge-repeat.ts";
import { isKnownNow, type Moment } from "./moment.ts";

/** The outcomes of one call so far, told apart by its exact identity or by its identity in substance. */
export interface Occurrences {
  readonly table: Map<Digest, KnownOutcome[]>;
  readonly key: Digest;
  readonly by: "equality" | "substance";
}

/** An outcome that came back. */
export interface Recollection {
  readonly known: KnownOutcome;
  readonly strength: OutcomeStrength;
  /** The call came back with something else, too, in this state of the world. */
  readonly hasOthers: boolean;
}

/** How many distinct calls a run remembers, and how many that are the same in substance only. */
const CAPACITY = { equality: 112, substance: 24 };
const OUTCOMES_PER_CALL = 3;
/** Volatile words change a short output's length too: by this many characters at most. */
const LENGTH_SLACK = 16;

export function occurrencesOf(state: RunState, key: Digest, by: Occurrences["by"]): Occurrences {
  return { table: by === "equality" ? state.byCall : state.byLike, key, by };
}

/**
 * Finds an outcome among those that the call had before, by equality or else by likeness. A refused call counts towards the outcome that it
 * had last.
 */
export function recall({ table, key }: Occurrences, outcome: Digest, moment: Moment): Recollection | undefined {
  const outcomes = table.get(key);
  if (outcomes === undefined) return undefined;
  if (moment.step.isSynthetic) {
    const latest = latestOf(outcomes)!;
    if (isKnownNow(latest, moment)) return { known: latest, strength: latest.strength, hasOthers: false };
  }
  const isFailing = moment.step.failure !== undefined;
  const equal = outcomes.findLast((known) => known.digest === outcome && known.isFailing === isFailing);
  if (equal !== undefined) return { known: equal, strength: "exact", hasOthers: hasOthers(outcomes, equal, moment) };
  if (moment.rules.progress.comparedCharacters !== undefined) return undefined;
  for (const known of outcomes.toReversed()) {
    const strength = likeness(known, moment);
    if (strength !== undefined) return { known, strength, hasOthers: hasOthers(outcomes, known, moment) };
  }
  return undefined;
}

/** Records an outcome that the call never had before. */
export function add({ table, key, by }: Occurrences, outcome: Digest, moment: Moment): Repeat {
  const outcomes = table.get(key) ?? [];
  const known = newOutcome(outcome, moment);
  const latest = latestOf(outcomes);
  // Whoever waits for a failure to pass waits on, in whatever words it comes.
  if (known.isFailing && latest?.isFailing === true && isKnownNow(latest, moment)) waitOn(known, latest);
  pushLatest(outcomes, known, OUTCOMES_PER_CALL);
  setRecent(table, key, outcomes, CAPACITY[by]);
  return repeatOf(known, "new-outcome");
}

/** Records an outcome that came back, and what that is worth. */
export function record(
  { table, key, by }: Occurrences,
  { known, strength }: Recollection,
  { weight, reason }: Verdict,
  moment: Moment,
): Repeat {
  const { step, state } = moment;
  setRecent(table, key, table.get(key) ?? [known], CAPACITY[by]);
  known.newsLaps = hasNewsInLap(known, moment) ? known.newsLaps + 1 : 0;
  if (weight === "begins-anew") {
    startOver(known, moment, strength);
    // What else was found was forgotten, too.
    if (reason !== "news-in-lap") known.firstCompaction = state.compaction;
  } else {
    if (weight === "counts") countOnce(known, step);
    if (reason === "sampling" || reason === "says-nothing") known.forgiven++;
    known.strength = weaker(known.strength, strength);
  }
  if (reason !== undefined) passOver(known, { step: step.index, reason }, step.round);
  if (reason !== "same-round") known.isFirst = false;
  known.index = step.index;
  known.round = Math.max(known.round, step.round);
  known.compaction = state.compaction;
  known.at = step.at;
  return repeatOf(known, reason);
}

/** Whether a call came back with something else, too, in this state of the world. */
function hasOthers(outcomes: readonly KnownOutcome[], known: KnownOutcome, moment: Moment): boolean {
  return outcomes.some((other) => other !== known && isKnownNow(other, moment));
}

/** How much a known outcome is like that of the step; undefined if it is another one. */
function likeness(known: KnownOutcome, moment: Moment): OutcomeStrength | undefined {
  const { state, step } = moment;
  const isFailing = step.failure !== undefined;
  if (known.isFailing !== isFailing || !isOfLength(known.length, step.length, LENGTH_SLACK)) return undefined;
  // What succeeded in another state of the world is a new outcome in this one, however much alike.
  if (!isFailing && !isKnownNow(known, moment)) return undefined;
  const before = state.history.find(({ index }) => index === known.index);
  const alike = before && compareSteps(step, before);
  if (alike === undefined || alike === "same") return alike && "masked";
  return alike === "numbers" && !measuresItself(step) ? undefined : "similar";
}

/** Whether a call writes: it brings nothing new by being made again, whatever it counts and measures as it runs. */
function measuresItself(step: Step): boolean {
  if (step.failure !== undefined || !(step.facts.isCommand || step.isWordy)) return false;
  const { act } = factsOf(step).reading;
  return act === "writes" || (act === "steps" && step.facts.isCommand);
}

function repeatOf({ count, indices, strength, passed }: KnownOutcome, reason: Repeat["reason"]): Repeat {
  return { count, indices, strength, reason, passed };
}

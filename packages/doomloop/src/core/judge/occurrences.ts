import { pushLatest, setRecent } from "../collections/bounded.ts";
import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import { countOnce, type KnownOutcome, newOutcome, passOver, startOver, weaker } from "../memory/known-outcome.ts";
import type { RunState } from "../memory/run-state.ts";
import { compareSteps } from "../memory/views.ts";
import { isOfLength } from "../outcome/compare-outcomes.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Repeat } from "../step.ts";
import { hasNewsInLap, judgeRepeat } from "./judge-repeat.ts";
import { isKnownNow, type Moment, sightingOf } from "./moment.ts";

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
export function recall({ table, key, by }: Occurrences, outcome: Digest, moment: Moment): Recollection | undefined {
  const outcomes = table.get(key);
  if (outcomes === undefined) return undefined;
  if (moment.step.isSynthetic) {
    const latest = latestOf(outcomes)!;
    if (isKnownNow(latest, moment)) return { known: latest, strength: latest.strength, hasOthers: false };
  }
  const equal = outcomes.findLast((known) => known.digest === outcome && known.isFailing === moment.isFailing);
  if (equal !== undefined) return { known: equal, strength: "exact", hasOthers: hasOthers(outcomes, equal, moment) };
  if (moment.rules.progress.comparedCharacters !== undefined) return undefined;
  for (const known of outcomes.toReversed()) {
    const strength = likeness(known, moment, by);
    if (strength !== undefined) return { known, strength, hasOthers: hasOthers(outcomes, known, moment) };
  }
  return undefined;
}

/** Records an outcome that the call never had before. */
export function add({ table, key, by }: Occurrences, outcome: Digest, moment: Moment): Repeat {
  const outcomes = table.get(key) ?? [];
  const known = newOutcome(outcome, sightingOf(moment));
  pushLatest(outcomes, known, OUTCOMES_PER_CALL);
  setRecent(table, key, outcomes, CAPACITY[by]);
  return repeatOf(known, "new-outcome");
}

/** Records an outcome that came back, and what that is worth. */
export function record(
  { table, key, by }: Occurrences,
  { known, strength, hasOthers: has }: Recollection,
  moment: Moment,
  isPatient: boolean,
): Repeat {
  const outcomes = table.get(key) ?? [known];
  setRecent(table, key, outcomes, CAPACITY[by]);
  if (latestOf(outcomes) !== known) known.inRow = 0;
  const { weight, reason } = judgeRepeat(known, moment, has, isPatient);
  const sighting = sightingOf(moment);
  known.newsLaps = hasNewsInLap(known, moment) ? known.newsLaps + 1 : 0;
  if (weight === "begins-anew") startOver(known, sighting, strength);
  else {
    if (weight === "counts") countOnce(known, sighting);
    if (reason === "sampling") known.sampled++;
    known.strength = weaker(known.strength, strength);
  }
  if (reason !== undefined) passOver(known, { step: sighting.index, reason }, sighting.round);
  known.inRow++;
  if (reason !== "same-round") known.isFirst = false;
  known.index = sighting.index;
  known.round = Math.max(known.round, sighting.round);
  known.compaction = sighting.compaction;
  known.at = sighting.at;
  return repeatOf(known, reason);
}

/** The outcome that a call had last. */
export function latestOf(outcomes: readonly KnownOutcome[] | undefined): KnownOutcome | undefined {
  return outcomes?.reduce<KnownOutcome | undefined>(
    (one, other) => (one === undefined || other.index >= one.index ? other : one),
    undefined,
  );
}

/** Whether a call came back with something else, too, in this state of the world. */
export function hasOthers(outcomes: readonly KnownOutcome[], known: KnownOutcome, moment: Moment): boolean {
  return outcomes.some((other) => other !== known && isKnownNow(other, moment));
}

/** How much a known outcome is like that of the step; undefined if it is another one. */
function likeness(known: KnownOutcome, moment: Moment, by: Occurrences["by"]): OutcomeStrength | undefined {
  const { state, step, isFailing, length = 0 } = moment;
  if (known.isFailing !== isFailing || !isOfLength(known.length, length, LENGTH_SLACK)) return undefined;
  // What succeeded in another state of the world is a new outcome in this one, however much alike.
  if (!isFailing && !isKnownNow(known, moment)) return undefined;
  const before = state.history.find(({ index }) => index === known.index);
  const alike = before && compareSteps(step, before);
  if (alike === undefined || alike === "same") return alike && "masked";
  // Of one and the same call, another of its own words is news.
  if (alike === "echo" && by === "equality") return undefined;
  return alike === "numbers" && !measuresItself(moment) ? undefined : "similar";
}

/** Whether a call writes: it brings nothing new by being made again, whatever it counts and measures as it runs. */
function measuresItself({ step, isFailing }: Moment): boolean {
  return !isFailing && (step.facts.isCommand || step.isWordy) && factsOf(step).effect.kind === "change";
}

function repeatOf({ count, indices, strength, inRow, passed }: KnownOutcome, reason: Repeat["reason"]): Repeat {
  return { count, indices, strength, inRow, reason, passed };
}

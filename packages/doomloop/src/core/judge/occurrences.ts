import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import { isOfLength, isSimilar } from "../identity/outcome-profile.ts";
import { compareSteps } from "../memory/compare-steps.ts";
import type { OutcomeViews } from "../memory/outcome-views.ts";
import { createRecencyTable } from "../memory/recency-table.ts";
import type { Repeat } from "../step.ts";
import { hasNewsInLap, judgeRepeat } from "./judge-repeat.ts";
import {
  countOnce,
  isKnownNow,
  type KnownOutcome,
  type Moment,
  newOutcome,
  restoreOutcome,
  type SavedOutcome,
  saveOutcome,
  startOver,
  weaker,
} from "./known-outcome.ts";

const OUTCOMES_PER_CALL = 3;
/** Volatile words change a short output's length too: by this many characters at most. */
const LENGTH_SLACK = 16;

export interface Recollection {
  readonly known: KnownOutcome;
  readonly strength: OutcomeStrength;
  /** The call came back with something else, too, in this state of the world. */
  readonly hasOthers: boolean;
}

/** What came of each call so far: which outcomes, and how often each came back without progress. */
export interface Occurrences {
  has(call: Digest): boolean;
  /** Finds the outcome among those that the call had before, by equality or else by likeness. */
  recall(call: Digest, outcome: Digest, moment: Moment): Recollection | undefined;
  /** The outcome that the call had last, if having it again would be barren: what a refused call counts towards. */
  recallLatest(call: Digest, moment: Moment): Recollection | undefined;
  /** Whether the call came back at least once without failing. */
  hasSucceeded(call: Digest): boolean;
  /** Records an outcome that the call never had before. */
  add(call: Digest, outcome: Digest, moment: Moment): Repeat;
  /** Records an outcome that came back, and what that is worth. */
  record(call: Digest, recollection: Recollection, moment: Moment, isPatient: boolean): Repeat;
  /** Whether the call, made again now and with an outcome that it had before, would be one more barren repeat. */
  wouldRepeat(call: Digest, moment: Moment): boolean;
  /** Notes of the latest outcome of a call whether having it again proves that nothing happened. */
  note(call: Digest, proves: boolean): void;
  /** The call was made again and refused: nothing lies between it and the next. */
  touch(call: Digest, index: number): void;
  /** Whether the call's latest outcome is barren beyond doubt if it comes again. */
  isProven(call: Digest, moment: Moment): boolean;
  clear(): void;
  save(): SavedOccurrences;
}

export type SavedOccurrences = readonly (readonly [Digest, readonly SavedOutcome[]])[];

/** Creates the memory of at most `capacity` calls, told apart by equality or in substance, empty or as it was saved. */
export function createOccurrences(
  capacity: number,
  by: "equality" | "substance",
  views: OutcomeViews,
  saved?: SavedOccurrences,
): Occurrences {
  const calls = createRecencyTable<KnownOutcome[]>(capacity);
  for (const [call, outcomes] of saved ?? []) calls.set(call, outcomes.map(restoreOutcome));

  const recallByLikeness = (known: KnownOutcome, moment: Moment): Omit<Recollection, "hasOthers"> | undefined => {
    const difference = compareSteps(views, known.index, moment.index, moment.isFailing);
    if (difference === undefined) return undefined;
    if (difference === "same") return { known, strength: "masked" };
    // A call that writes brings nothing new by being made again, whatever it counts and measures as it runs.
    if (
      difference.isInNumbersOnly &&
      !moment.isFailing &&
      (moment.facts.effect.isShell || moment.isWordy) &&
      moment.facts.effect.kind === "change"
    )
      return { known, strength: "similar" };
    // Of one and the same call, another of its own words is news.
    if (difference.isEchoOnly && by === "substance") return { known, strength: "similar" };
    return isSimilar(difference) ? { known, strength: "similar" } : undefined;
  };

  return {
    has: (call) => calls.get(call) !== undefined,

    recall(call, outcome, moment) {
      const outcomes = calls.get(call);
      if (outcomes === undefined) return undefined;
      const hasOthers = (known: KnownOutcome): boolean =>
        outcomes.some((other) => other !== known && isKnownNow(other, moment));
      for (let at = outcomes.length - 1; at >= 0; at--) {
        const known = outcomes[at]!;
        if (known.digest === outcome && known.isFailing === moment.isFailing)
          return { known, strength: "exact", hasOthers: hasOthers(known) };
      }
      if (moment.isByEquality) return undefined;
      for (let at = outcomes.length - 1; at >= 0; at--) {
        const known = outcomes[at]!;
        if (known.isFailing !== moment.isFailing || !isOfLength(known.length, moment.length ?? 0, LENGTH_SLACK))
          continue;
        // What succeeded in another state of the world is a new outcome in this one, however much alike.
        if (!moment.isFailing && !isKnownNow(known, moment)) continue;
        const recollection = recallByLikeness(known, moment);
        if (recollection !== undefined) return { ...recollection, hasOthers: hasOthers(known) };
      }
      return undefined;
    },

    recallLatest(call, moment) {
      const outcomes = calls.get(call);
      const latest = outcomes === undefined ? undefined : latestOf(outcomes);
      return latest !== undefined && isKnownNow(latest, moment)
        ? { known: latest, strength: latest.strength, hasOthers: false }
        : undefined;
    },

    hasSucceeded: (call) => calls.get(call)?.some((known) => !known.isFailing) === true,

    add(call, outcome, moment) {
      const outcomes = calls.get(call) ?? [];
      calls.set(call, outcomes);
      const known = newOutcome(outcome, moment);
      outcomes.push(known);
      if (outcomes.length > OUTCOMES_PER_CALL) outcomes.shift();
      return repeatOf(known, "new-outcome");
    },

    record(call, recollection, moment, isPatient) {
      const { known, strength, hasOthers } = recollection;
      const outcomes = calls.get(call);
      if (outcomes !== undefined) calls.set(call, outcomes);
      const isLatest = outcomes === undefined || latestOf(outcomes) === known;
      if (!isLatest) known.inRow = 0;
      const verdict = judgeRepeat(known, moment, hasOthers, isPatient);
      known.newsLaps = hasNewsInLap(known, moment) ? known.newsLaps + 1 : 0;
      if (verdict.weight === "begins-anew") startOver(known, moment, strength);
      else {
        if (verdict.weight === "counts") countOnce(known, moment);
        if (verdict.reason === "sampling") known.sampled++;
        known.strength = weaker(known.strength, strength);
      }
      known.inRow++;
      if (verdict.reason !== "same-round") known.isFirst = false;
      known.index = moment.index;
      known.round = Math.max(known.round, moment.round);
      known.compaction = moment.compaction;
      known.at = moment.at;
      return repeatOf(known, verdict.reason);
    },

    wouldRepeat: (call, moment) =>
      calls
        .get(call)
        ?.some(
          (known) =>
            judgeRepeat(known, { ...moment, isFailing: known.isFailing, length: known.length }, false, false).weight ===
            "counts",
        ) === true,

    note(call, proves) {
      const latest = latestOf(calls.get(call) ?? []);
      if (latest !== undefined) latest.proves = proves;
    },

    touch(call, index) {
      const latest = latestOf(calls.get(call) ?? []);
      if (latest !== undefined) latest.index = index;
    },

    isProven(call, moment) {
      const known = latestOf(calls.get(call) ?? []);
      if (known === undefined || !known.proves) return false;
      // A call that fails in another way each time is on its way.
      if (calls.get(call)!.some((other) => other !== known && isKnownNow(other, moment))) return false;
      // A failure fails again; an answer must have come back once to be known to stay.
      if (!known.isFailing && (known.strength !== "exact" || known.count < 2)) return false;
      return (
        judgeRepeat(known, { ...moment, isFailing: known.isFailing, length: known.length }, false, false).weight ===
        "counts"
      );
    },

    clear: () => calls.clear(),

    save: () => [...calls.entries()].map(([call, outcomes]) => [call, outcomes.map(saveOutcome)] as const),
  };
}

function latestOf(outcomes: readonly KnownOutcome[]): KnownOutcome | undefined {
  return outcomes.reduce<KnownOutcome | undefined>(
    (one, other) => (one === undefined || other.index >= one.index ? other : one),
    undefined,
  );
}

function repeatOf(known: KnownOutcome, reason: Repeat["reason"]): Repeat {
  return { count: known.count, indices: known.indices, strength: known.strength, inRow: known.inRow, reason };
}

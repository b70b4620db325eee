import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import { isOfLength, isSimilar } from "../identity/outcome-profile.ts";
import type { Repeat } from "../step.ts";
import { compareSteps } from "./compare-steps.ts";
import {
  countOnce,
  isBarren,
  isKnownNow,
  isRecall,
  type KnownOutcome,
  type Moment,
  newOutcome,
  restoreOutcome,
  type SavedOutcome,
  saveOutcome,
  startOver,
  weaker,
} from "./known-outcome.ts";
import type { LearnedLabels } from "./learned-labels.ts";
import type { OutcomeViews } from "./outcome-views.ts";
import { createRecencyTable } from "./recency-table.ts";

const OUTCOMES_PER_CALL = 3;
/** Volatile words change a short output's length too: by this many characters at most. */
const LENGTH_SLACK = 16;

export interface Recollection {
  readonly known: KnownOutcome;
  readonly strength: OutcomeStrength;
  /** The outcomes differ in numbers that were learned to mean nothing. */
  readonly isLearned?: boolean;
}

/** What came of each call so far: which outcomes, and how often each came back without progress. */
export interface Occurrences {
  has(call: Digest): boolean;
  /** Finds the outcome among those that the call had before, by equality or else by likeness. */
  recall(call: Digest, outcome: Digest, moment: Moment, tool: string): Recollection | undefined;
  /** The outcome that the call had last, if having it again would be barren: what a refused call counts towards. */
  recallLatest(call: Digest, moment: Moment): Recollection | undefined;
  /** Whether the call came back at least once without failing. */
  hasSucceeded(call: Digest): boolean;
  /** Records the step, and returns how often it has been barren. `isCounted` false: seen, but neither here nor there. */
  count(
    call: Digest,
    outcome: Digest,
    recollection: Recollection | undefined,
    moment: Moment,
    isCounted: boolean,
  ): Repeat;
  /** Whether the call, made again now and with an outcome that it had before, would be one more barren repeat. */
  wouldRepeat(call: Digest, moment: Moment): boolean;
  clear(): void;
  save(): SavedOccurrences;
}

export type SavedOccurrences = readonly (readonly [Digest, readonly SavedOutcome[]])[];

/** Creates the memory of at most `capacity` calls, empty or as it was saved. */
export function createOccurrences(
  capacity: number,
  views: OutcomeViews,
  learned: LearnedLabels,
  saved?: SavedOccurrences,
): Occurrences {
  const calls = createRecencyTable<KnownOutcome[]>(capacity);
  for (const [call, outcomes] of saved ?? []) calls.set(call, outcomes.map(restoreOutcome));

  const recallByLikeness = (known: KnownOutcome, tool: string, moment: Moment): Recollection | undefined => {
    const difference = compareSteps(views, known.index, moment.index, moment.isFailing);
    if (difference === undefined) return undefined;
    if (difference === "same") return { known, strength: "masked" };
    // A command that writes brings nothing new by being run again, whatever it counts and measures as it runs.
    if (difference.isInNumbersOnly && !moment.isFailing && isShellChange(moment)) return { known, strength: "similar" };
    if (difference.numbersUnder !== undefined) {
      const isVolatile = learned.areVolatile(tool, difference.numbersUnder);
      learned.note(tool, difference.numbersUnder);
      return isVolatile ? { known, strength: "similar", isLearned: true } : undefined;
    }
    return isSimilar(difference) ? { known, strength: "similar" } : undefined;
  };

  return {
    has: (call) => calls.get(call) !== undefined,

    recall(call, outcome, moment, tool) {
      const outcomes = calls.get(call);
      if (outcomes === undefined) return undefined;
      for (let at = outcomes.length - 1; at >= 0; at--) {
        const known = outcomes[at]!;
        if (known.digest === outcome && known.isFailing === moment.isFailing) return { known, strength: "exact" };
      }
      if (moment.isByEquality) return undefined;
      for (let at = outcomes.length - 1; at >= 0; at--) {
        const known = outcomes[at]!;
        if (known.isFailing !== moment.isFailing || !isOfLength(known.length, moment.length, LENGTH_SLACK)) continue;
        // What succeeded in another state of the world is a new outcome in this one, however much alike.
        if (!moment.isFailing && !isKnownNow(known, moment)) continue;
        const recollection = recallByLikeness(known, tool, moment);
        if (recollection !== undefined) return recollection;
      }
      return undefined;
    },

    recallLatest(call, moment) {
      const latest = calls.get(call)?.reduce((one, other) => (other.index >= one.index ? other : one));
      return latest !== undefined && isKnownNow(latest, moment)
        ? { known: latest, strength: latest.strength }
        : undefined;
    },

    hasSucceeded: (call) => calls.get(call)?.some((known) => !known.isFailing) === true,

    count(call, outcome, recollection, moment, isCounted) {
      const outcomes = calls.get(call) ?? [];
      calls.set(call, outcomes);
      if (recollection === undefined) {
        const known = newOutcome(outcome, moment);
        outcomes.push(known);
        if (outcomes.length > OUTCOMES_PER_CALL) outcomes.shift();
        return repeatOf(known);
      }
      const { known, strength } = recollection;
      // A number that was learned to vary may be news after all: it counts while nothing else is new.
      const isNews = recollection.isLearned === true && moment.novelty > known.novelty;
      if (!isNews && isBarren(known, moment, moment.isFailing)) {
        if (isCounted && known.round !== moment.round && !isRecall(known, moment)) countOnce(known, moment.index);
        known.strength = weaker(known.strength, strength);
      } else startOver(known, moment, strength);
      known.index = moment.index;
      known.round = moment.round;
      known.compaction = moment.compaction;
      known.novelty = moment.novelty;
      known.at = moment.at;
      return repeatOf(known);
    },

    wouldRepeat: (call, moment) => calls.get(call)?.some((known) => isBarren(known, moment, known.isFailing)) === true,

    clear: () => calls.clear(),

    save: () => [...calls.entries()].map(([call, outcomes]) => [call, outcomes.map(saveOutcome)] as const),
  };
}

function isShellChange({ facts }: Moment): boolean {
  return facts.effect.isShell && facts.effect.kind === "change";
}

function repeatOf(known: KnownOutcome): Repeat {
  return { count: known.count, indices: known.indices, strength: known.strength };
}

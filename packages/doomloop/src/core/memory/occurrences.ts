import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import { compareOutcomes } from "../identity/outcome-profile.ts";
import type { World } from "../progress/world.ts";
import type { Repeat } from "../step.ts";
import type { CallFacts } from "./call-facts.ts";
import type { LearnedLabels } from "./learned-labels.ts";
import type { OutcomeViews, ViewedOutcome } from "./outcome-views.ts";
import { createRecencyTable } from "./recency-table.ts";

const OUTCOMES_PER_CALL = 3;
const MAX_INDICES = 8;
/** Outcomes at least this much alike are taken for the same, if they are also of the same length. */
const SIMILAR = 0.9;
const LENGTH_TOLERANCE = 0.02;
/** Volatile words change a short output's length too: by this many characters at most. */
const LENGTH_SLACK = 16;

/** Where in the run a step stands, and what decides whether it can be a repeat. */
export interface Moment {
  readonly index: number;
  readonly round: number;
  readonly turn: number;
  readonly compaction: number;
  /** New steps so far in this run, this one included. */
  novelty: number;
  readonly isFailing: boolean;
  /** Length of the step's output. */
  readonly length: number;
  readonly at: number | undefined;
  readonly world: World;
  /** A look after more new steps than this was worth it; undefined if a repeat is one however much lies between. */
  digression: number | undefined;
  /** Outcomes are the same only if they are equal. */
  readonly isByEquality: boolean;
  /** What the call does: dear to find out, so asked last. */
  readonly facts: CallFacts;
}

/** An outcome that a call came back with before. */
export interface KnownOutcome {
  readonly digest: Digest;
  readonly isFailing: boolean;
  /** Length of the output. */
  readonly length: number;
  strength: OutcomeStrength;
  index: number;
  round: number;
  turn: number;
  compaction: number;
  novelty: number;
  count: number;
  /** Indices of the counted occurrences, the latest last. */
  indices: number[];
  /** Time asked for in vain since the outcome was new. */
  waitedMs: number;
  /** When it was last seen, where the host says. */
  at: number | undefined;
}

export interface Recollection {
  readonly known: KnownOutcome;
  readonly strength: OutcomeStrength;
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

type SavedOutcome = readonly [
  Digest,
  0 | 1,
  number,
  OutcomeStrength,
  number,
  number,
  number,
  number,
  number,
  number,
  readonly number[],
  number,
  number | null,
];
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

  const recallByLikeness = (known: KnownOutcome, current: ViewedOutcome, tool: string): OutcomeStrength | undefined => {
    const earlier = views.outcomeOf(known.index);
    if (earlier === undefined) return undefined;
    if (earlier.isWhole && current.isWhole && earlier.digest === current.digest) return "masked";
    const difference = compareOutcomes(earlier, current);
    if (difference === undefined) return undefined;
    if (difference.numbersUnder !== undefined) {
      const isVolatile = learned.areVolatile(tool, difference.numbersUnder);
      learned.note(tool, difference.numbersUnder);
      return isVolatile ? "similar" : undefined;
    }
    return difference.similarity >= SIMILAR ? "similar" : undefined;
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
        if (known.isFailing !== moment.isFailing || !isOfLength(known.length, moment.length)) continue;
        // What succeeded in another state of the world is a new outcome in this one, however much alike.
        if (!moment.isFailing && !isKnownNow(known, moment)) continue;
        if (!views.beginAlike(known.index, moment.index)) continue;
        const current = views.outcomeOf(moment.index);
        if (current === undefined) return undefined;
        const strength = recallByLikeness(known, current, tool);
        if (strength !== undefined) return { known, strength };
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
      // What is only similar may be news: it counts while nothing else is new.
      const isNews = strength === "similar" && moment.novelty > known.novelty;
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

/** Whether an outcome is known in this state of the world: seen since the last change and since the user spoke. */
export function isKnownNow(known: KnownOutcome, moment: Moment): boolean {
  return known.turn === moment.turn && !moment.world.hasChangedSince(known.index);
}

/** Whether two outputs can be alike by their lengths: a look that saves most of the comparing. */
function isOfLength(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(LENGTH_SLACK, LENGTH_TOLERANCE * one);
}

function isBarren(known: KnownOutcome, moment: Moment, isFailing: boolean): boolean {
  if (!isKnownNow(known, moment)) return false;
  const { digression } = moment;
  if (digression === undefined || isFailing || moment.novelty - known.novelty <= digression) return true;
  return moment.facts.effect.kind === "change";
}

/** A first look after a compaction: what was read before is forgotten, by no fault of the agent's. */
export function isRecall(known: KnownOutcome, moment: Moment): boolean {
  return known.compaction !== moment.compaction && !moment.isFailing && moment.facts.effect.kind !== "change";
}

function newOutcome(digest: Digest, moment: Moment): KnownOutcome {
  return {
    digest,
    isFailing: moment.isFailing,
    length: moment.length,
    strength: "exact",
    index: moment.index,
    round: moment.round,
    turn: moment.turn,
    compaction: moment.compaction,
    novelty: moment.novelty,
    count: 1,
    indices: [moment.index],
    waitedMs: 0,
    at: moment.at,
  };
}

function startOver(known: KnownOutcome, moment: Moment, strength: OutcomeStrength): void {
  known.turn = moment.turn;
  known.count = 1;
  known.indices = [moment.index];
  known.waitedMs = 0;
  known.strength = strength === "exact" ? "exact" : known.strength;
}

function countOnce(known: KnownOutcome, index: number): void {
  known.count++;
  known.indices.push(index);
  if (known.indices.length > MAX_INDICES) known.indices.shift();
}

function repeatOf(known: KnownOutcome): Repeat {
  return { count: known.count, indices: known.indices, strength: known.strength };
}

const RANK: Readonly<Record<OutcomeStrength, number>> = { exact: 0, masked: 1, similar: 2, blind: 3 };

function weaker(one: OutcomeStrength, other: OutcomeStrength): OutcomeStrength {
  return RANK[one] >= RANK[other] ? one : other;
}

function saveOutcome(known: KnownOutcome): SavedOutcome {
  return [
    known.digest,
    known.isFailing ? 1 : 0,
    known.length,
    known.strength,
    known.index,
    known.round,
    known.turn,
    known.compaction,
    known.novelty,
    known.count,
    known.count > 1 ? known.indices : [],
    known.waitedMs,
    known.at ?? null,
  ];
}

function restoreOutcome(saved: SavedOutcome): KnownOutcome {
  const [digest, isFailing, length, strength, index, round, turn, compaction, novelty, count, indices, waitedMs, at] =
    saved;
  return {
    digest,
    isFailing: isFailing === 1,
    length,
    strength,
    index,
    round,
    turn,
    compaction,
    novelty,
    count,
    indices: count > 1 ? [...indices] : [index],
    waitedMs,
    at: at ?? undefined,
  };
}

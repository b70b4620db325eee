import { pushLatest } from "../collections/bounded.ts";
import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { PassedOver, Step } from "../step.ts";

/** An outcome that a call came back with before. */
export interface KnownOutcome {
  readonly digest: Digest;
  readonly isFailing: boolean;
  /** Length of the output. */
  readonly length: number;
  /** The weakest likeness among its occurrences. */
  strength: OutcomeStrength;
  index: number;
  round: number;
  turn: number;
  compaction: number;
  /** The compaction after which it was first seen since anything changed. */
  firstCompaction: number;
  count: number;
  /** Indices of the counted occurrences, the latest last. */
  indices: number[];
  /** The latest rounds in which it came: results of several rounds come in any order. */
  rounds: number[];
  /** The latest occurrences that were not counted. */
  passed: PassedOver[];
  /** Occurrences in a row between which the run learned something. */
  newsLaps: number;
  /** It has come in one round only. */
  isFirst: boolean;
  /** Times that it was passed over because it may have had a good reason. */
  forgiven: number;
  /** The call with which counting began, and whether the run had set something going right before; undefined until somebody asks. */
  first: number;
  isAfterAct: boolean | undefined;
  /** Having it again would prove that nothing happened. */
  proves: boolean;
  /** Looks in vain that waited, how long they took together, and how long the last of them had waited. */
  looks: number;
  waitedMs: number;
  lastPauseMs: number;
  /** When it was last seen, where the host says. */
  at: number | undefined;
}

/** A step that is seen, and where its run stands. */
export interface Sighting {
  readonly step: Pick<Step, "index" | "round" | "at" | "length" | "failure">;
  readonly state: { readonly turn: number; readonly compaction: number };
}

const MAX_INDICES = 8;
const MAX_PASSED = 4;
/** Rounds whose results may still come. */
const MAX_ROUNDS = 4;

export function newOutcome(digest: Digest, { step, state }: Sighting): KnownOutcome {
  const { index, round, at, length, failure } = step;
  const { turn, compaction } = state;
  return {
    digest,
    isFailing: failure !== undefined,
    length,
    strength: "exact",
    index,
    round,
    turn,
    compaction,
    firstCompaction: compaction,
    count: 1,
    indices: [index],
    rounds: [round],
    passed: [],
    newsLaps: 0,
    isFirst: true,
    forgiven: 0,
    first: index,
    isAfterAct: undefined,
    proves: false,
    looks: 0,
    waitedMs: 0,
    lastPauseMs: 0,
    at,
  };
}

/** Counting begins anew. */
export function startOver(known: KnownOutcome, { step, state }: Sighting, strength: OutcomeStrength): void {
  const { index, round } = step;
  const { turn } = state;
  Object.assign(known, { turn, strength, count: 1, indices: [index], rounds: [round] });
  Object.assign(known, { forgiven: 0, first: index, isAfterAct: undefined, looks: 0, waitedMs: 0 });
}

/** What was waited for one outcome counts for another. */
export function waitOn(known: KnownOutcome, { looks, waitedMs, lastPauseMs, first, isAfterAct }: KnownOutcome): void {
  Object.assign(known, { looks, waitedMs, lastPauseMs, first, isAfterAct });
}

/** One more barren occurrence. */
export function countOnce(known: KnownOutcome, { index, round }: Sighting["step"]): void {
  known.count++;
  known.indices = [...known.indices, index].slice(-MAX_INDICES);
  pushLatest(known.rounds, round, MAX_ROUNDS);
}

/** One that does not count; what comes in the same round does not count either. */
export function passOver(known: KnownOutcome, passed: PassedOver, round: number): void {
  known.passed = [...known.passed, passed].slice(-MAX_PASSED);
  if (!known.rounds.includes(round)) pushLatest(known.rounds, round, MAX_ROUNDS);
}

const RANK: Readonly<Record<OutcomeStrength, number>> = { exact: 0, masked: 1, similar: 2, blind: 3 };

export function weaker(one: OutcomeStrength, other: OutcomeStrength): OutcomeStrength {
  return RANK[one] >= RANK[other] ? one : other;
}

/** The outcome that a call had last. */
export function latestOf(outcomes: readonly KnownOutcome[] | undefined): KnownOutcome | undefined {
  return outcomes?.reduce<KnownOutcome | undefined>(
    (one, other) => (one === undefined || other.index >= one.index ? other : one),
    undefined,
  );
}

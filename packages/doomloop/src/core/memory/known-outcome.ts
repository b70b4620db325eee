import { pushLatest } from "../collections/bounded.ts";
import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { PassedOver } from "../step.ts";

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
  /** The compaction after which counting began. */
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
  /** Times in a row that the call came back with this and nothing else. */
  inRow: number;
  /** It has come in one round only. */
  isFirst: boolean;
  /** Times that it was passed over as one of several answers. */
  sampled: number;
  /** Having it again would prove that nothing happened. */
  proves: boolean;
  /** Looks in vain that waited, how long they took together, and how long the last of them had waited. */
  looks: number;
  waitedMs: number;
  lastPauseMs: number;
  /** When it was last seen, where the host says. */
  at: number | undefined;
}

/** Where and when an outcome is seen. */
export interface Sighting {
  readonly index: number;
  readonly round: number;
  readonly turn: number;
  readonly compaction: number;
  readonly isFailing: boolean;
  readonly length: number;
  readonly at: number | undefined;
}

const MAX_INDICES = 8;
const MAX_PASSED = 4;
/** Rounds whose results may still come. */
const MAX_ROUNDS = 4;

export function newOutcome(digest: Digest, sighting: Sighting): KnownOutcome {
  const { index, round, turn, compaction, isFailing, length, at } = sighting;
  return {
    digest,
    isFailing,
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
    inRow: 1,
    isFirst: true,
    sampled: 0,
    proves: false,
    looks: 0,
    waitedMs: 0,
    lastPauseMs: 0,
    at,
  };
}

/** Counting begins anew. */
export function startOver(
  known: KnownOutcome,
  { index, round, turn, compaction }: Sighting,
  strength: OutcomeStrength,
): void {
  known.turn = turn;
  known.firstCompaction = compaction;
  known.count = 1;
  known.indices = [index];
  known.rounds = [round];
  known.sampled = 0;
  known.looks = 0;
  known.waitedMs = 0;
  known.strength = strength;
}

/** One more barren occurrence. */
export function countOnce(known: KnownOutcome, { index, round }: Sighting): void {
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

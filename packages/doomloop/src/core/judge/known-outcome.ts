import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { CallFacts } from "../memory/call-facts.ts";
import type { World } from "../progress/world.ts";

const MAX_INDICES = 8;
/** Rounds whose results may still come. */
const MAX_ROUNDS = 4;

/** Where in the run a step stands, and what decides whether it can be a repeat. */
export interface Moment {
  readonly index: number;
  readonly round: number;
  readonly turn: number;
  readonly compaction: number;
  readonly isFailing: boolean;
  /** Length of the step's output; undefined where none was looked at. */
  readonly length: number | undefined;
  readonly at: number | undefined;
  readonly world: World;
  /** Whether the run has learned something since a round. */
  hasNewsSince(round: number): boolean;
  /** Laps in a row with news after which counting begins anew. */
  readonly workingLaps: number;
  /** The call says something at length. */
  readonly isWordy: boolean;
  /** Outcomes are the same only if they are equal. */
  readonly isByEquality: boolean;
  /** What the call does: dear to find out, so asked last. */
  readonly facts: CallFacts;
}

/** An outcome that a call came back with before. Numbers and digests only: it is saved as it is. */
export interface KnownOutcome {
  readonly digest: Digest;
  readonly isFailing: boolean;
  /** Length of the output. */
  readonly length: number;
  strength: OutcomeStrength;
  index: number;
  round: number;
  /** The latest rounds in which it was counted: results of several rounds come in any order. */
  rounds: number[];
  turn: number;
  compaction: number;
  /** The compaction after which counting began. */
  firstCompaction: number;
  count: number;
  /** Indices of the counted occurrences, the latest last. */
  indices: number[];
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

/** Whether an outcome is known in this state of the world: seen since the last change and since the user spoke. */
export function isKnownNow(known: KnownOutcome, moment: Moment): boolean {
  const { facts, world } = moment;
  // A command is no delegation: it is not read to find that out.
  const isDelegation = !facts.isCommand && facts.effect.kind === "delegate";
  return known.turn === moment.turn && !world.hasChangedSince(known.index, isDelegation);
}

export function newOutcome(digest: Digest, moment: Moment): KnownOutcome {
  return {
    digest,
    isFailing: moment.isFailing,
    length: moment.length ?? 0,
    strength: "exact",
    index: moment.index,
    round: moment.round,
    rounds: [moment.round],
    turn: moment.turn,
    compaction: moment.compaction,
    firstCompaction: moment.compaction,
    count: 1,
    indices: [moment.index],
    newsLaps: 0,
    inRow: 1,
    isFirst: true,
    sampled: 0,
    proves: false,
    looks: 0,
    waitedMs: 0,
    lastPauseMs: 0,
    at: moment.at,
  };
}

export function startOver(known: KnownOutcome, moment: Moment, strength: OutcomeStrength): void {
  known.turn = moment.turn;
  known.firstCompaction = moment.compaction;
  known.count = 1;
  known.indices = [moment.index];
  known.rounds = [moment.round];
  known.sampled = 0;
  known.looks = 0;
  known.waitedMs = 0;
  known.strength = strength === "exact" ? "exact" : known.strength;
}

export function countOnce(known: KnownOutcome, { index, round }: Moment): void {
  known.count++;
  known.indices = [...known.indices, index].slice(-MAX_INDICES);
  known.rounds = [...known.rounds, round].slice(-MAX_ROUNDS);
}

const RANK: Readonly<Record<OutcomeStrength, number>> = { exact: 0, masked: 1, similar: 2, blind: 3 };

export function weaker(one: OutcomeStrength, other: OutcomeStrength): OutcomeStrength {
  return RANK[one] >= RANK[other] ? one : other;
}

export type SavedOutcome = readonly [
  digest: Digest,
  flags: number,
  strength: OutcomeStrength,
  at: number | null,
  indices: readonly number[],
  rounds: readonly number[],
  ...numbers: number[],
];

export function saveOutcome(known: KnownOutcome): SavedOutcome {
  return [
    known.digest,
    (known.isFailing ? 1 : 0) | (known.proves ? 2 : 0) | (known.isFirst ? 4 : 0),
    known.strength,
    known.at ?? null,
    known.indices.length === 1 && known.indices[0] === known.index ? [] : known.indices,
    known.rounds.length === 1 && known.rounds[0] === known.round ? [] : known.rounds,
    known.index,
    known.round,
    known.length,
    known.turn,
    known.compaction,
    known.firstCompaction,
    known.count,
    known.newsLaps,
    known.inRow,
    known.looks,
    known.waitedMs,
    known.lastPauseMs,
    known.sampled,
  ];
}

export function restoreOutcome([digest, flags, strength, at, indices, rounds, ...numbers]: SavedOutcome): KnownOutcome {
  const [index = 0, round = 0, length = 0, turn = 0, compaction = 0, firstCompaction = 0, count = 1] = numbers;
  const [newsLaps = 0, inRow = 1, looks = 0, waitedMs = 0, lastPauseMs = 0, sampled = 0] = numbers.slice(7);
  return {
    digest,
    isFailing: (flags & 1) !== 0,
    proves: (flags & 2) !== 0,
    isFirst: (flags & 4) !== 0,
    length,
    strength,
    index,
    round,
    rounds: rounds.length > 0 ? [...rounds] : [round],
    sampled,
    turn,
    compaction,
    firstCompaction,
    count,
    indices: indices.length > 0 ? [...indices] : [index],
    newsLaps,
    inRow,
    looks,
    waitedMs,
    lastPauseMs,
    at: at ?? undefined,
  };
}

import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { World } from "../progress/world.ts";
import type { CallFacts } from "./call-facts.ts";

const MAX_INDICES = 8;

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
  /** The compaction after which counting began. */
  firstCompaction: number;
  novelty: number;
  count: number;
  /** Indices of the counted occurrences, the latest last. */
  indices: number[];
  /** Time asked for in vain since the outcome was new. */
  waitedMs: number;
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

/** Whether having the outcome again is a repeat without progress. */
export function isBarren(known: KnownOutcome, moment: Moment, isFailing: boolean): boolean {
  if (!isKnownNow(known, moment)) return false;
  const { digression } = moment;
  if (digression === undefined || isFailing || moment.novelty - known.novelty <= digression) return true;
  return moment.facts.effect.kind === "change";
}

/** After this many compactions without anything new in between, looking again is what the run consists of. */
const MAX_RECALLS = 2;

/** A first look after a compaction: what was read before is forgotten, by no fault of the agent's. */
export function isRecall(known: KnownOutcome, moment: Moment): boolean {
  if (moment.compaction - known.firstCompaction > MAX_RECALLS) return false;
  return known.compaction !== moment.compaction && !moment.isFailing && moment.facts.effect.kind !== "change";
}

export function newOutcome(digest: Digest, moment: Moment): KnownOutcome {
  return {
    digest,
    isFailing: moment.isFailing,
    length: moment.length,
    strength: "exact",
    index: moment.index,
    round: moment.round,
    turn: moment.turn,
    compaction: moment.compaction,
    firstCompaction: moment.compaction,
    novelty: moment.novelty,
    count: 1,
    indices: [moment.index],
    waitedMs: 0,
    at: moment.at,
  };
}

export function startOver(known: KnownOutcome, moment: Moment, strength: OutcomeStrength): void {
  known.turn = moment.turn;
  known.firstCompaction = moment.compaction;
  known.count = 1;
  known.indices = [moment.index];
  known.waitedMs = 0;
  known.strength = strength === "exact" ? "exact" : known.strength;
}

export function countOnce(known: KnownOutcome, index: number): void {
  known.count++;
  known.indices.push(index);
  if (known.indices.length > MAX_INDICES) known.indices.shift();
}

const RANK: Readonly<Record<OutcomeStrength, number>> = { exact: 0, masked: 1, similar: 2, blind: 3 };

export function weaker(one: OutcomeStrength, other: OutcomeStrength): OutcomeStrength {
  return RANK[one] >= RANK[other] ? one : other;
}

export type SavedOutcome = readonly [
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
  number?,
];

export function saveOutcome(known: KnownOutcome): SavedOutcome {
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
    known.indices.length === 1 && known.indices[0] === known.index ? [] : known.indices,
    known.waitedMs,
    known.at ?? null,
    known.firstCompaction,
  ];
}

export function restoreOutcome(saved: SavedOutcome): KnownOutcome {
  const [
    digest,
    isFailing,
    length,
    strength,
    index,
    round,
    turn,
    compaction,
    novelty,
    count,
    indices,
    waitedMs,
    at,
    firstCompaction,
  ] = saved;
  return {
    digest,
    isFailing: isFailing === 1,
    length,
    strength,
    index,
    round,
    turn,
    compaction,
    firstCompaction: firstCompaction ?? compaction,
    novelty,
    count,
    indices: indices.length > 0 ? [...indices] : [index],
    waitedMs,
    at: at ?? undefined,
  };
}

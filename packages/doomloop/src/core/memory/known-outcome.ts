import type { OutcomeStrength } from "../finding.ts";
import type { Digest } from "../identity/digest.ts";
import type { PassedOver, Step } from "../step.ts";

/** An outcome that a call came back with, and how often. */
export interface KnownOutcome {
  readonly digest: Digest;
  readonly isFailing: boolean;
  /** Length of the output. */
  readonly length: number;
  /** The weakest likeness among its occurrences. */
  strength: OutcomeStrength;
  /** The step that it came with last. */
  index: number;
  round: number;
  turn: number;
  compaction: number;
  /** When it was last seen, where the host says. */
  at: number | undefined;
  /** The compaction after which it was first seen since anything changed. */
  firstCompaction: number;
  /** Occurrences that count. */
  count: number;
  /** Indices of the counted occurrences, the latest last. */
  indices: readonly number[];
  /** The latest rounds in which it came: results of several rounds come in any order. */
  rounds: readonly number[];
  /** The latest occurrences that were not counted. */
  passed: readonly PassedOver[];
  /** Occurrences in a row between which the run learned something. */
  newsLaps: number;
  /** It has come in one round only. */
  isFirst: boolean;
  /** Times that it was passed over because it may have had a good reason. */
  forgiven: number;
  /** The call with which counting began, and whether the run had set something going right before it. */
  first: number;
  isAfterAct: boolean;
  /** Having it again would prove that nothing happened. */
  proves: boolean;
  /** Checks without a change that waited, how long they took together, and how long the last of them had waited. */
  looks: number;
  waitedMs: number;
  lastPauseMs: number;
}

/** An outcome that a call comes back with for the first time. */
export function newOutcome(
  digest: Digest,
  { index, round, at, length, failure }: Pick<Step, "index" | "round" | "at" | "length" | "failure">,
  { turn, compaction }: { readonly turn: number; readonly compaction: number },
  isAfterAct: boolean,
): KnownOutcome {
  return {
    digest,
    isFailing: failure !== undefined,
    length,
    strength: "exact",
    index,
    round,
    turn,
    compaction,
    at,
    firstCompaction: compaction,
    count: 1,
    indices: [index],
    rounds: [round],
    passed: [],
    newsLaps: 0,
    isFirst: true,
    forgiven: 0,
    first: index,
    isAfterAct,
    proves: false,
    looks: 0,
    waitedMs: 0,
    lastPauseMs: 0,
  };
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

import type { Act } from "../reading.ts";
import type { Reason } from "../reason.ts";
import type { Step } from "../step.ts";
import { READING_LENGTH } from "./limits.ts";
import type { Situation } from "./situation.ts";

/**
 * What an outcome brings that came before: a failure, nothing (empty, no results), no more than a word that it was done (`mute`), one
 * value (`reading`), or all that it told before (`seen`).
 */
export type Brought = "failure" | "nothing" | "mute" | "reading" | "seen";

/** What a repeat is worth. */
export interface Cell {
  /** Repeats that are passed over before they count. */
  readonly forgives: number;
  /** Why. */
  readonly as: Reason;
  /** Enough repeats are barren beyond doubt: nothing could have happened without being seen. */
  readonly isSure: boolean;
}

/** Counts at once, and can be certain. */
const SURE: Cell = { forgives: 0, as: "says-nothing", isSure: true };
/** Counts at once, and is never certain: the guard only talks about it. */
const TOLD: Cell = { forgives: 0, as: "says-nothing", isSure: false };
/** A value may be asked for more than once. */
const SOME: Cell = { forgives: 2, as: "sampling", isSure: false };
/** A program may have done something without a word, and a word may stand for another picture. */
const FEW: Cell = { forgives: 4, as: "says-nothing", isSure: false };
/** Nobody sees what came of it. */
const MANY: Cell = { forgives: 7, as: "says-nothing", isSure: false };
/** The call is repeated on purpose, to see whether it comes out alike. */
export const SAMPLES: Cell = { forgives: 17, as: "sampling", isSure: false };

/** By what a call does and what it brought: how many repeats are forgiven, and whether they can ever be certain. */
export const TABLE: Readonly<Record<Act, Readonly<Record<Brought, Cell>>>> = {
  looks: { failure: SURE, nothing: TOLD, mute: SURE, reading: SURE, seen: SURE },
  watches: { failure: SOME, nothing: SOME, mute: FEW, reading: SOME, seen: SURE },
  steps: { failure: TOLD, nothing: MANY, mute: MANY, reading: SOME, seen: SURE },
  runs: { failure: SURE, nothing: FEW, mute: FEW, reading: FEW, seen: SURE },
  writes: { failure: SURE, nothing: SURE, mute: TOLD, reading: TOLD, seen: SURE },
  says: { failure: TOLD, nothing: TOLD, mute: TOLD, reading: TOLD, seen: TOLD },
  asks: { failure: TOLD, nothing: TOLD, mute: TOLD, reading: TOLD, seen: SURE },
  measures: { failure: SURE, nothing: SAMPLES, mute: SAMPLES, reading: SAMPLES, seen: SAMPLES },
  waits: { failure: SURE, nothing: MANY, mute: MANY, reading: MANY, seen: SURE },
};

/** What the repeats of a step are worth, by what it does and what it brought. */
export function cellOf(situation: Situation): Cell {
  const { step, rules } = situation;
  const brought = broughtIn(situation);
  if (brought === undefined || !rules.progress.forgives) return SURE;
  const { act } = step.facts.reading;
  // The same order, payment or setting again is the same again.
  if (act === "writes" && step.hasContent && brought !== "failure") return TABLE.says[brought];
  // A wrong call stays wrong and a forbidden one forbidden, whatever it asks.
  const isForGood = step.failure?.isFaultyCall === true || step.failure?.isClosedDoor === true;
  return TABLE[isForGood && act !== "says" ? "looks" : act][brought];
}

/** What the step brings if it came before; undefined where no outcome was looked at. */
export function broughtIn({ step, outcome }: Situation): Brought | undefined {
  return outcome === undefined ? undefined : broughtBy(step);
}

/** What a step brought, given that it came before. */
export function broughtBy({
  failure,
  isNothing,
  isMute,
  length,
}: Pick<Step, "failure" | "isNothing" | "isMute" | "length">): Brought {
  // Many programs fail to say that they found nothing.
  if (isNothing) return "nothing";
  if (failure !== undefined) return "failure";
  if (isMute) return "mute";
  return length <= READING_LENGTH ? "reading" : "seen";
}

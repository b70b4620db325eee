import type { Reason } from "../finding.ts";
import type { Memory } from "../memory.ts";
import type { Call, Step } from "../step.ts";

/** What a detector sees in a step. */
export interface Sighting {
  /** Which loop this is: a number that no other detector gives. */
  readonly about: number;
  /** How much speaks for it by now, in plain repeats, the first occurrence included. */
  readonly evidence: number;
  readonly count: number;
  /** The calls that show it, by index. */
  readonly steps: readonly number[];
  /** No healthy run looks like this, so each round of it counts in full. */
  readonly isClear: boolean;
  /** What this step adds to the evidence of its own call. */
  readonly added?: number;
  readonly checks?: number;
  readonly waitedMs?: number;
  readonly isAfterAct?: boolean;
  /** Something new was learned since the call was made last. */
  readonly hasNews?: boolean;
  /** Why the step adds nothing, though its call was made before. */
  readonly reason?: Reason | undefined;
  /** The calls ask for the same in different ways. */
  readonly isOtherForm?: true;
  /** The calls may be the items of a list, and no fact tells that from guessing: the agent is told, and no new item is refused. */
  readonly isList?: boolean;
  /** How many calls a lap has. */
  readonly period?: number;
}

export const NOTHING: readonly Sighting[] = [];

/** One kind of loop. It keeps nothing: all it knows is the step and the memory. */
export interface Detector<Kind extends string = string> {
  readonly kind: Kind;
  look(step: Step, memory: Memory): readonly Sighting[];
  /** Whether a call goes on with the loop that `last` showed: such calls are refused. */
  covers(call: Call, last: Step): boolean;
}

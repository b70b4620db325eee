import type { Topic } from "../memory/run-state.ts";
import type { Step } from "../memory/step.ts";

/** Kinds of topics. They are the public kinds of findings. */
export type TopicKind =
  | "repeated-call"
  | "call-cycle"
  | "similar-call"
  | "same-outcome"
  | "stalled"
  | "test-fix"
  | "failure-streak"
  | "custom";

const KEPT_STEPS = 8;
/** Rounding must not put off words. */
export const SLACK = 0.01;

/** The latest calls of a row, which a sighting shows. */
export function shownSteps(row: readonly Step[]): number[] {
  return row.slice(-KEPT_STEPS).map(({ index }) => index);
}

/** The calls that a topic shows, with one more. */
export function withStep({ steps }: Topic, index: number): number[] {
  return [...steps.slice(1 - KEPT_STEPS), index];
}

/** Whether evidence is enough. */
export function reaches(evidence: number, least: number): boolean {
  return evidence >= least - SLACK;
}

/** A topic that is at the level of words. */
export interface Sighting {
  readonly kind: TopicKind;
  readonly name: string;
  readonly topic: Topic;
  readonly step: Step;
  /** How often it happened. */
  readonly count: number;
  /** Steps that show it. */
  readonly steps: readonly number[];
  /** How much speaks for a loop in it, in plain repeats. */
  readonly evidence: number;
  /** Only a loop looks like this. */
  readonly isClear: boolean;
  /** Others confirm that it leads nowhere. */
  readonly isConfirmed?: boolean;
  /** Words need no second reason. */
  readonly isSure: boolean;
}

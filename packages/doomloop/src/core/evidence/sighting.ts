import type { DetectorKind } from "../finding.ts";
import { type RunState, type Topic, topicOf } from "../memory/run-state.ts";
import type { Step } from "../memory/step.ts";

/** Kinds of topics. They are the public kinds of findings. */
export type TopicKind = Exclude<DetectorKind, "repeated-text" | "text-only">;

const KEPT_STEPS = 8;
/** Rounding must not put off words. */
export const SLACK = 0.01;

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
  /** Words need no second reason. */
  readonly isSure: boolean;
}

/** A row of steps that is at the level of words, with nothing that makes it clear. */
export function rowSighting(
  run: RunState,
  row: readonly Step[],
  about: Pick<Sighting, "kind" | "name" | "step" | "count" | "evidence">,
): Sighting {
  const steps = row.slice(-KEPT_STEPS).map(({ index }) => index);
  return { ...about, topic: topicOf(run, about.name), steps, isClear: false, isSure: false };
}

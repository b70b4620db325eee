import type { Digest } from "../identity/digest.ts";
import type { World } from "../progress/world.ts";
import { type CallFacts, restoreFacts, type SavedFacts, saveFacts } from "./call-facts.ts";

/** A failing step, as far as streaks need it. */
export interface FailedStep {
  readonly index: number;
  readonly round: number;
  readonly tool: string;
  readonly kind: Digest;
  /** A flag or an exit code says that it failed, not only its words. */
  readonly isTold: boolean;
  readonly facts: CallFacts;
}

/** The failing steps since something succeeded or changed. */
export interface Failures {
  isEmpty(): boolean;
  add(step: FailedStep): void;
  /** Failures with no success of any tool in between, oldest first. */
  acrossTools(): readonly FailedStep[];
  /** Failures of one tool with no success of that tool in between, oldest first. */
  of(tool: string): readonly FailedStep[];
  /** A step of this tool succeeded. */
  succeed(tool: string, index: number): void;
  clear(): void;
  save(): SavedFailures;
}

type SavedStep = readonly [number, number, string, Digest, 0 | 1, SavedFacts];

export interface SavedFailures {
  readonly lastSuccess: number;
  readonly steps: readonly SavedStep[];
}

/** How much a streak of failures weighs, and which steps make it. */
export interface Streak {
  readonly weight: number;
  readonly indices: readonly number[];
}

const CAPACITY = 32;

/** Creates the memory of failures, empty or as it was saved. */
export function createFailures(saved?: SavedFailures): Failures {
  let steps: FailedStep[] = (saved?.steps ?? []).map(restore);
  let lastSuccess = saved?.lastSuccess ?? -1;
  return {
    isEmpty() {
      return steps.length === 0;
    },
    add(step) {
      steps.push(step);
      if (steps.length > CAPACITY) steps.shift();
    },
    acrossTools: () => steps.filter((step) => step.index > lastSuccess),
    of: (tool) => steps.filter((step) => step.tool === tool),
    succeed(tool, index) {
      if (steps.length === 0) return;
      lastSuccess = index;
      steps = steps.filter((step) => step.tool !== tool);
    },
    clear() {
      if (steps.length > 0) steps = [];
    },
    save: () => ({ lastSuccess, steps: steps.map(save) }),
  };
}

/**
 * The failures from the latest back to the first that does not fit or that came before a change of the world; undefined
 * if they weigh less than `threshold`. Further failures of one round weigh a third each: a batch is one attempt.
 * Failures known by their words only weigh one less.
 */
export function streakSinceChange(
  world: World,
  steps: readonly FailedStep[],
  threshold: number,
  fits: (step: FailedStep) => boolean,
): Streak | undefined {
  const streak = streakOf(steps, fits);
  if (streak.weight < threshold) return undefined;
  if (!world.hasChangedSince(streak.indices[0]!)) return streak;
  const later = streakOf(
    steps.filter((step) => step.index > world.lastChange()),
    fits,
  );
  return later.weight < threshold ? undefined : later;
}

function streakOf(steps: readonly FailedStep[], fits: (step: FailedStep) => boolean): Streak {
  const rounds = new Set<number>();
  const indices: number[] = [];
  let isTold = true;
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at]!;
    if (!fits(step)) break;
    rounds.add(step.round);
    indices.push(step.index);
    isTold &&= step.isTold;
  }
  indices.sort((one, other) => one - other);
  if (rounds.size < 2) return { weight: 0, indices };
  return { weight: rounds.size + (indices.length - rounds.size) / 3 - (isTold ? 0 : 1), indices };
}

function save({ index, round, tool, kind, isTold, facts }: FailedStep): SavedStep {
  return [index, round, tool, kind, isTold ? 1 : 0, saveFacts(facts)];
}

function restore([index, round, tool, kind, isTold, facts]: SavedStep): FailedStep {
  return { index, round, tool, kind, isTold: isTold === 1, facts: restoreFacts(facts) };
}

import type { EventEffect } from "./event-effect.ts";
import type { RunState } from "./memory/run-state.ts";

/** Where a run stands: how far it has come, and when. */
export interface RunPosition {
  /** Tells one occasion to answer from the next: at most one answer is given on each. */
  readonly occasion: number;
  readonly round: number;
  readonly turn: number;
  /** Calls so far. */
  readonly calls: number;
  /** The host's time, where it has a clock. */
  readonly at: number | undefined;
}

/** Occasions within one round: later pieces of a stream, later answers without a call. */
const OCCASIONS_PER_ROUND = 1000;

/** Where a run stands after an event. */
export function positionAt({ round: latest, turn, calls, answers }: RunState, effect: EventEffect): RunPosition {
  const round = effect.kind === "call" && effect.judged !== undefined ? effect.judged.step.round : latest;
  const occasion = round * OCCASIONS_PER_ROUND + occasionWithin(effect, answers?.count ?? 0);
  return { occasion, round, turn, calls, at: timeOf(effect) };
}

function timeOf(effect: EventEffect): number | undefined {
  if (effect.kind === "call") return effect.step.at;
  return effect.kind === "step" ? effect.judged.step.at : undefined;
}

/** One answer climbs one rung, however long it chants. A stream and a step speak once a round, answers without a call each time. */
function occasionWithin({ kind }: EventEffect, answers: number): number {
  if (kind === "stream") return 1;
  return kind === "answer" ? 100 + (answers % 800) : 0;
}

import type { Moved } from "./moved.ts";
import type { Standing } from "./policy/climb.ts";
import type { Run } from "./run.ts";

/** Occasions within one round: later pieces of a stream, later answers without a call. */
const OCCASIONS_PER_ROUND = 1000;

/** Where a run stands after it moved. */
export function standingAt({ state }: Run, moved: Moved): Standing {
  const { calls, turn } = state;
  const round = moved.kind === "call" && moved.judged !== undefined ? moved.judged.step.round : state.round;
  return {
    occasion: round * OCCASIONS_PER_ROUND + occasionWithin(moved, state.answers?.count ?? 0),
    round,
    turn,
    calls,
    at: timeOf(moved),
  };
}

function timeOf(moved: Moved): number | undefined {
  if (moved.kind === "call") return moved.step.at;
  return moved.kind === "step" ? moved.judged.step.at : undefined;
}

/** One answer climbs one rung, however long it chants: a stream speaks once a round, answers without a call each time, a step once. */
function occasionWithin({ kind }: Moved, answers: number): number {
  if (kind === "stream") return 1;
  return kind === "answer" ? 100 + (answers % 800) : 0;
}

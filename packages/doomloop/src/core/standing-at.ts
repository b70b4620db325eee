import type { Moved, Run } from "./memory/run.ts";
import type { Standing } from "./policy/ladder.ts";
import type { ResolvedProgress } from "./progress/progress-options.ts";

/** Occasions within one round: later pieces of a stream, later answers without a call. */
const OCCASIONS_PER_ROUND = 1000;

/** Where a run stands after it moved. */
export function standingAt(run: Run, moved: Moved, { userTurn }: ResolvedProgress): Standing {
  const { counters, latest } = run.state;
  const { calls } = counters;
  const round = moved.kind === "call" && moved.isJudged ? latest!.round : counters.round;
  const occasion = round * OCCASIONS_PER_ROUND + occasionWithin(moved, run);
  return { occasion, round, turn: userTurn ? counters.turn : 0, calls };
}

/** One answer climbs one rung, however long it chants: a stream speaks once a round, answers without a call each time, a step once. */
function occasionWithin(moved: Moved, run: Run): number {
  if (moved.kind === "stream") return 1;
  return moved.kind === "answer" ? 100 + (run.state.answers.count() % 800) : 0;
}

import { createRunState, type RunState } from "./memory/run-state.ts";
import { createLadderState, type LadderState } from "./policy/ladder.ts";
import { createTally, type Tally } from "./stats.ts";

/** What a guard remembers: plain data. */
export interface GuardMemory {
  run: RunState;
  readonly ladder: LadderState;
  /** Loops that were allowed. */
  readonly allowed: string[];
  /** The calls of what was allowed, apart, so that a long cycle does not push out what was allowed before it. */
  readonly allowedCalls: string[];
  /** What the fleet found and was told. */
  readonly announced: string[];
  /** How often the run began anew. */
  life: number;
  readonly tally: Tally;
  /** The occasion on which something was said last. */
  messageOccasion: number;
}

/** The memory of a new guard. */
export function createMemory(): GuardMemory {
  return {
    run: createRunState(),
    ladder: createLadderState(),
    allowed: [],
    allowedCalls: [],
    announced: [],
    life: 0,
    tally: createTally(),
    messageOccasion: -1,
  };
}

import { addLatest } from "./collections/bounded.ts";
import type { Finding } from "./finding.ts";
import type { Digest } from "./identity/digest.ts";
import { createRunState, type RunState } from "./memory/run-state.ts";
import { createNudges, createTally, type Nudges, type Tally } from "./stats.ts";

/** What a guard remembers: plain data. */
export interface GuardMemory {
  run: RunState;
  /** What the judge remembers. It is the judge's own, and nobody else looks into it. */
  judge: object;
  /** Loops that were allowed. */
  readonly allowed: string[];
  /** The calls of allowed loops. A separate list, so that a long cycle does not push out loops that were allowed before it. */
  readonly allowedCalls: string[];
  /** Dead ends of the fleet that the agent was told of. */
  readonly announced: string[];
  /** Calls that must not happen twice and have happened. A restart keeps them, because it undoes no payment. */
  readonly done: Digest[];
  /** How often such a call was refused in a row, with nothing else in between. */
  refusedAgain: number;
  /** How often the run started over, and how often to get out of a loop since the host last said so. */
  life: number;
  restarts: number;
  readonly nudges: Nudges;
  readonly tally: Tally;
  /** The loop that ended the run; further calls are refused until the user speaks. */
  stopped: Finding | undefined;
}

/** The memory of a new guard, with what its judge remembers. */
export function createMemory(judge: object): GuardMemory {
  return {
    run: createRunState(),
    judge,
    allowed: [],
    allowedCalls: [],
    announced: [],
    done: [],
    refusedAgain: 0,
    life: 0,
    restarts: 0,
    nudges: createNudges(),
    tally: createTally(),
    stopped: undefined,
  };
}

const MAX_ALLOWED = 64;
const MAX_ALLOWED_CALLS = 128;

/** Marks a loop and its calls as allowed, and resumes a run that was ended for it. */
export function allowLoop(memory: GuardMemory, loop: string, calls: readonly string[]): void {
  if (memory.stopped?.loop === loop) memory.stopped = undefined;
  addLatest(memory.allowed, loop, MAX_ALLOWED);
  for (const call of calls) addLatest(memory.allowedCalls, call, MAX_ALLOWED_CALLS);
}

import { addLatest } from "./collections/bounded.ts";
import type { Finding } from "./detectors/index.ts";
import type { Digest } from "./identity/digest.ts";
import { createRunState, type RunState } from "./memory/run-state.ts";
import { createLadderState, type LadderState } from "./policy/climb.ts";
import { createTally, type Tally } from "./stats.ts";

/** What a guard remembers: plain data. */
export interface GuardMemory {
  run: RunState;
  readonly ladder: LadderState;
  /** Loops that were allowed. */
  readonly allowed: string[];
  /** The calls of allowed loops. A separate list, so that a long cycle does not push out loops that were allowed before it. */
  readonly allowedCalls: string[];
  /** Dead ends of the fleet that the agent was told of. */
  readonly announced: string[];
  /** Calls that must not happen twice and have happened. A restart keeps them, because it undoes no payment. */
  readonly done: Digest[];
  /** How often the run started over. */
  life: number;
  readonly tally: Tally;
  /** The occasion on which the guard last said something. */
  messageOccasion: number;
  /** The loop that ended the run; further calls are refused until the user speaks. */
  stopped: Finding | undefined;
}

/** The memory of a new guard. */
export function createMemory(): GuardMemory {
  return {
    run: createRunState(),
    ladder: createLadderState(),
    allowed: [],
    allowedCalls: [],
    announced: [],
    done: [],
    life: 0,
    tally: createTally(),
    messageOccasion: -1,
    stopped: undefined,
  };
}

const MAX_ALLOWED = 64;
const MAX_ALLOWED_CALLS = 128;

/** Marks a loop as allowed, with the calls that would continue it, and resumes a run that was ended for it. */
export function allowLoop(memory: GuardMemory, loop: string, calls: readonly string[]): void {
  if (memory.stopped?.loop === loop) memory.stopped = undefined;
  addLatest(memory.allowed, loop, MAX_ALLOWED);
  for (const call of calls) addLatest(memory.allowedCalls, call, MAX_ALLOWED_CALLS);
}

const MAX_ANNOUNCED = 64;

/** Whether something is announced for the first time. */
export function announceOnce({ announced }: GuardMemory, what: string): boolean {
  if (announced.includes(what)) return false;
  addLatest(announced, what, MAX_ANNOUNCED);
  return true;
}

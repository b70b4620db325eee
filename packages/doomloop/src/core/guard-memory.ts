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
  /** The calls of what was allowed, apart, so that a long cycle does not push out what was allowed before it. */
  readonly allowedCalls: string[];
  /** What the fleet found and was told. */
  readonly announced: string[];
  /** Calls that must not happen twice and have happened. They outlive a restart: it undoes no payment. */
  readonly done: Digest[];
  /** How often the run began anew. */
  life: number;
  readonly tally: Tally;
  /** The occasion on which something was said last. */
  messageOccasion: number;
  /** What the run was ended for; its calls are refused until the user speaks. */
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

/** A loop, with the calls that would continue it, is none: a run that was ended for it goes on. */
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

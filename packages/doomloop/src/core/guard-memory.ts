import { addLatest } from "./collections/bounded.ts";
import { type CountMemory, createCountMemory } from "./counting/count-memory.ts";
import { createEvidenceMemory, type EvidenceMemory } from "./evidence/evidence-judge.ts";
import type { Finding } from "./finding.ts";
import type { Digest } from "./identity/digest.ts";
import { createRunState, type RunState } from "./memory/run-state.ts";
import { createTally, type Tally } from "./stats.ts";

/** What a guard remembers: plain data. */
export interface GuardMemory {
  run: RunState;
  evidence: EvidenceMemory;
  /** What is counted by the host's own rules, where it has some. */
  counts: CountMemory;
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
  /** How often the run started over. */
  life: number;
  readonly tally: Tally;
  /** The round in which the guard last said something. */
  spokenRound: number;
  /** The loop that ended the run; further calls are refused until the user speaks. */
  stopped: Finding | undefined;
}

/** The memory of a new guard. */
export function createMemory(): GuardMemory {
  return {
    run: createRunState(),
    evidence: createEvidenceMemory(),
    counts: createCountMemory(),
    allowed: [],
    allowedCalls: [],
    announced: [],
    done: [],
    refusedAgain: 0,
    life: 0,
    tally: createTally(),
    spokenRound: -1,
    stopped: undefined,
  };
}

const MAX_ALLOWED = 64;

/** Marks a loop as allowed, and resumes a run that was ended for it. */
export function allowLoop(memory: GuardMemory, loop: string): void {
  if (memory.stopped?.loop === loop) memory.stopped = undefined;
  addLatest(memory.allowed, loop, MAX_ALLOWED);
}

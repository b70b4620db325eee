import { addLatest } from "./collections/bounded.ts";
import type { Finding } from "./finding.ts";
import type { Digest } from "./identity/digest.ts";
import { createRunMemory, type RunMemory } from "./reading/run-memory.ts";
import { createNudges, createTally } from "./stats.ts";

/** What a guard remembers: plain data. */
export type GuardMemory = ReturnType<typeof createMemory>;

/** The memory of a new guard, with what its judge remembers. */
export function createMemory(judge: object) {
  return {
    run: createRunMemory() as RunMemory,
    /** What the judge remembers. It is the judge's own, and nobody else looks into it. */
    judge,
    /** Loops that were allowed. */
    allowed: [] as string[],
    /** The calls of allowed loops. A separate list, so that a long cycle does not push out loops that were allowed before it. */
    allowedCalls: [] as string[],
    /** Dead ends of the fleet that the agent was told of. */
    announced: [] as string[],
    /** Calls that must not happen twice and have happened. A restart keeps them, because it undoes no payment. */
    done: [] as Digest[],
    /** How often such a call was refused in a row, with nothing else in between. */
    refusedAgain: 0,
    /** How often the run started over, and how often to get out of a loop since the host last said so. */
    life: 0,
    restarts: 0,
    nudges: createNudges(),
    tally: createTally(),
    /** The loop that ended the run; further calls are refused until the user speaks. */
    stopped: undefined as Finding | undefined,
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

import type { HookMemory } from "../packages/doomloop/src/agents/hook/answer-event.ts";
import type { HookState } from "../packages/doomloop/src/agents/hook/hook-state.ts";

/** The runs of a hook with the clock of a test. A fault fails the test. */
export function createHookMemory(now: () => number): HookMemory {
  const states = new Map<string, HookState>();
  return {
    get: (run) => states.get(run),
    set: (run, state) => void states.set(run, state),
    rulesOf: () => ({ tools: {} }),
    now,
    missedEvents: () => 0,
    reportFault(fault) {
      throw fault;
    },
  };
}

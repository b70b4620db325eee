import { setTimeout as wait } from "node:timers/promises";
import { type AgentEvent, createGuard } from "doomloop";
import type { Fleet } from "doomloop/fleet";
import { call, failure, user } from "../../builders.ts";
import type { Ledger } from "./ledger.ts";

/** How long an `observe` took. */
export interface Observed {
  readonly wallMs: number;
  /** The machine gave the processor to somebody else meanwhile. Whoever waits gives it away by himself: that is not meant. */
  readonly wasInterrupted: boolean;
  /** How long the same took a guard without a fleet, the moment after. */
  readonly aloneMs: number;
}

export interface Swarm {
  /** Every `observe` so far. */
  readonly observed: Observed[];
  /** Decisions that kept a worker from its work although its guard alone lets it go on. Must be none. */
  readonly falseStops: number;
  /** Decisions that told a worker of a dead end of the others. */
  readonly nudges: number;
  /** One step of the next worker: a call and its failure. */
  step(): void;
  /** Steps at an even rate for as long. */
  work(options: { readonly forMs: number; readonly stepsPerSecond: number }): Promise<void>;
}

/**
 * Guarded workers that all run into the same pages that do not answer, each into each of them once.
 *
 * Their users speak in between, so no guard alone has anything to say about it: all that is said comes from the fleet.
 */
export function createSwarm(fleet: Fleet, ledger: Ledger, { workers = 16, first = 0 } = {}): Swarm {
  const pairs = Array.from({ length: workers }, (_, at) => {
    const worker = `worker-${first}-${at}`;
    const member = ledger.keep(worker, fleet.join({ worker }));
    return { together: createGuard({ fleet: member }), alone: createGuard(), page: first };
  });
  const observed: Observed[] = [];
  const counts = { steps: 0, falseStops: 0, nudges: 0 };

  const observe = (pair: (typeof pairs)[number], event: AgentEvent) => {
    const interruptions = process.resourceUsage().involuntaryContextSwitches;
    const start = performance.now();
    const { action } = pair.together.observe(event);
    const wallMs = performance.now() - start;
    const wasInterrupted = process.resourceUsage().involuntaryContextSwitches > interruptions;
    const startAlone = performance.now();
    const expected = pair.alone.observe(event).action;
    observed.push({ wallMs, wasInterrupted, aloneMs: performance.now() - startAlone });
    if (action === "nudge") counts.nudges += 1;
    else if (action !== expected) counts.falseStops += 1;
  };
  const step = () => {
    const pair = pairs[counts.steps++ % workers]!;
    const page = pair.page++;
    observe(pair, user());
    observe(pair, call("fetch", { url: `https://docs.test/${page}` }));
    observe(pair, failure(`no page ${page}`));
  };

  return {
    observed,
    get falseStops() {
      return counts.falseStops;
    },
    get nudges() {
      return counts.nudges;
    },
    step,
    async work({ forMs, stepsPerSecond }) {
      const start = performance.now();
      for (let done = 0; performance.now() - start < forMs; ) {
        const due = ((performance.now() - start) / 1000) * stepsPerSecond;
        for (; done < due; done++) step();
        await wait(2);
      }
    },
  };
}

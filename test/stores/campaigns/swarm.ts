import { setTimeout as wait } from "node:timers/promises";
import { type AgentEvent, createGuard } from "doomloop";
import type { Fleet } from "doomloop/fleet";
import { call, failure, user } from "../../builders.ts";
import type { Ledger } from "./ledger.ts";
import { percentile } from "./percentile.ts";

export interface Swarm {
  /** Decisions that kept a worker from its work although its guard alone lets it go on. Must be none. */
  readonly falseStops: number;
  /** Decisions that told a worker of a dead end of the others. */
  readonly nudges: number;
  /** How long `observe` took: nearly all of those that the machine did not interrupt; and the longest of a guard without a fleet. */
  observed(): { readonly ownMs: number; readonly aloneMs: number };
  /** Steps at an even rate for as long. */
  work(options: { readonly forMs: number; readonly stepsPerSecond: number }): Promise<void>;
}

/**
 * Guarded workers of one process that all run into the same pages that do not answer, each into each of them once.
 *
 * Their users speak in between, so no guard alone has anything to say about it: all that is said comes from the fleet. Beside each stands
 * a guard without a fleet that sees the same.
 */
export function createSwarm(fleet: Fleet, ledger: Ledger, name: string, workers = 8): Swarm {
  const pairs = Array.from({ length: workers }, (_, at) => {
    const worker = `${name} worker ${at}`;
    const member = ledger.keep(name, worker, fleet.join({ worker }));
    return { together: createGuard({ fleet: member }), alone: createGuard(), page: 0 };
  });
  const own: number[] = [];
  const counts = { steps: 0, falseStops: 0, nudges: 0, aloneMs: 0 };

  const observe = (pair: (typeof pairs)[number], event: AgentEvent) => {
    const interruptions = interruptionsSoFar();
    const start = performance.now();
    const { action } = pair.together.observe(event);
    const ownMs = performance.now() - start;
    // Whoever waits gives the processor away by himself: that is no interruption.
    if (interruptionsSoFar() === interruptions) own.push(ownMs);
    const startAlone = performance.now();
    const expected = pair.alone.observe(event).action;
    counts.aloneMs = Math.max(counts.aloneMs, performance.now() - startAlone);
    if (action === "nudge") counts.nudges++;
    else if (action !== expected) counts.falseStops++;
  };
  const step = () => {
    const pair = pairs[counts.steps++ % workers]!;
    const page = pair.page++;
    observe(pair, user());
    observe(pair, call("fetch", { url: `https://docs.test/${page}` }));
    observe(pair, failure(`no page ${page}`));
  };

  return {
    get falseStops() {
      return counts.falseStops;
    },
    get nudges() {
      return counts.nudges;
    },
    observed: () => ({ ownMs: percentile(own, 0.999), aloneMs: counts.aloneMs }),
    async work({ forMs, stepsPerSecond }) {
      const start = performance.now();
      for (let done = 0; performance.now() - start < forMs; ) {
        const due = ((performance.now() - start) / 1000) * stepsPerSecond;
        for (; done < due; done++) step();
        await wait(5);
      }
    },
  };
}

function interruptionsSoFar(): number {
  return process.resourceUsage().involuntaryContextSwitches;
}

import { setTimeout as wait } from "node:timers/promises";
import { type AgentEvent, createGuard } from "doomloop";
import type { Fleet } from "doomloop/fleet";
import { call, failure, user } from "../../builders.ts";
import { percentile } from "./campaign.ts";
import type { Ledger } from "./ledger.ts";

export interface Swarm {
  /** Decisions that stopped a worker although its guard alone would not have. Must be 0. */
  readonly falseStops: number;
  /** Decisions that warned a worker of a dead end that others found. */
  readonly nudges: number;
  /** How long `observe` took: a high percentile of the calls that were not interrupted, and the longest of a guard without a fleet. */
  observed(): { readonly ownMs: number; readonly aloneMs: number };
  /** Makes steps at an even rate for this long. */
  work(options: { readonly forMs: number; readonly stepsPerSecond: number }): Promise<void>;
}

/**
 * Guarded workers of one process that all call the same unavailable pages, each page once.
 *
 * Their users speak in between, so no guard finds a loop by itself, and every decision comes from the fleet. For comparison, each has
 * a guard without a fleet that sees the same events.
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
    // A process that waits gives up the processor voluntarily. That is not an interruption.
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
    observe(pair, call("fetch", { url: `https://docs.example/${page}` }));
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

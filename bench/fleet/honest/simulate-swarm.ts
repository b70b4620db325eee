import { createStoreFleet, type StoreFleet } from "../../../packages/doomloop/src/fleet/index.ts";
import { createMemoryStore } from "../../../packages/doomloop/src/fleet/memory/memory-store.ts";
import { createGuard, type Guard, type GuardOptions } from "../../../packages/doomloop/src/index.ts";
import type { DeadEndKind, HonestKind, WorkStep } from "./honest-kinds.ts";
import { seededRandom, startVirtualTime, type VirtualTime } from "./virtual-time.ts";

export interface SwarmSize {
  readonly processes: number;
  readonly workers: number;
  /** The time within which all workers begin. */
  readonly rampMs: number;
  readonly seed: number;
}

export interface HonestOutcome {
  readonly title: string;
  readonly workers: number;
  /** Workers that were told of a dead end. */
  readonly told: number;
  /** How often operators were told. */
  readonly findings: number;
}

export interface DeadEndOutcome {
  readonly title: string;
  /** Time from the call that made it a dead end until half and all of the processes would tell a worker; undefined if never. */
  readonly medianMs: number | undefined;
  readonly lastMs: number | undefined;
  readonly findings: number;
}

const HEARTBEAT_MS = 5000;
/** Between two calls of a worker. */
const STEP_MS = 1000;
const LONGEST_MS = 120_000;

/** Lets every worker of a swarm do the same kind of honest work, each in a sandbox of its own, and counts who is told falsely. */
export async function simulateHonest({ title, steps }: HonestKind, size: SwarmSize): Promise<HonestOutcome> {
  const { processes, workers, rampMs, seed } = size;
  const random = seededRandom(seed);
  const time = startVirtualTime(random);
  try {
    const { fleets, found } = openFleets(time, processes);
    const shared = new Map<string, unknown>();
    const told = new Set<number>();
    for (let number = 0; number < workers; number++) {
      const begin = () => {
        const fleet = fleets[number % processes]!;
        const guard = createGuard({ fleet: fleet.join({ worker: `worker ${number}`, run: "1" }) });
        const work = steps({ number, random, now: time.now, shared })[Symbol.iterator]();
        const next = () => {
          const { value: step, done } = work.next();
          if (done === true) return;
          if (observe(guard, step, time)) told.add(number);
          time.at(time.now() + (step.pauseMs ?? STEP_MS) * (0.7 + 0.6 * random()), next);
        };
        next();
      };
      time.at(HEARTBEAT_MS + random() * rampMs, begin);
    }
    await time.runUntil(HEARTBEAT_MS + rampMs + LONGEST_MS);
    return { title, workers, told: told.size, findings: found.count };
  } finally {
    time.end();
  }
}

/** Lets a few workers run into a dead end, twice each, and sees how long it takes until every process knows it. */
export async function simulateDeadEnd(kind: DeadEndKind, size: SwarmSize): Promise<DeadEndOutcome> {
  const { processes, workers, seed } = size;
  const random = seededRandom(seed);
  const time = startVirtualTime(random);
  try {
    const { fleets, found } = openFleets(time, processes);
    const guards = fleets.map((fleet) => guardIn(fleet, kind.options));
    // The others are at work, so that the fleet knows how large it is.
    for (let number = 0; number < workers; number++) {
      const member = fleets[number % processes]!.join({ worker: `worker ${number}` });
      member.report({ id: "0", fingerprint: undefined, tool: "read_file", isBarren: undefined });
    }
    const startMs = 3 * HEARTBEAT_MS;
    const struck = guards.slice(0, 5);
    for (const [at, guard] of struck.entries()) {
      for (const again of [0, 1])
        time.at(startMs + 100 * at + 1000 * again, () => void observe(guard, kind.step, time));
    }
    const foundMs = startMs + 1000 + 100 * (struck.length - 1);
    const known = new Map<number, number>();
    await time.runUntil(foundMs);
    for (let ms = 0; ms < LONGEST_MS && known.size < processes; ms += 100) {
      await time.runUntil(foundMs + ms);
      for (const [at, fleet] of fleets.entries()) {
        if (!known.has(at) && fleet.findings().length > 0) known.set(at, ms);
      }
    }
    const times = [...known.values()].sort((one, other) => one - other);
    const [medianMs, lastMs] = known.size < processes ? [] : [times[processes >> 1], times.at(-1)];
    return { title: kind.title, medianMs, lastMs, findings: found.count };
  } finally {
    time.end();
  }
}

/** Fleets that share a store, each as in a process of its own. */
function openFleets(time: VirtualTime, processes: number) {
  const store = createMemoryStore(time.now);
  const found = { count: 0 };
  const fleets = Array.from({ length: processes }, (_, at) =>
    createStoreFleet({
      ...{ store: store.open, key: "a secret of the bench", witness: `process ${at}`, heartbeatMs: HEARTBEAT_MS },
      ...{ now: time.now, onFinding: () => void found.count++ },
    }),
  );
  return { fleets, found };
}

function guardIn(fleet: StoreFleet, options: GuardOptions = {}): Guard {
  return createGuard({ ...options, fleet: fleet.join({ worker: "worker", run: "1" }) });
}

/** Makes a call. True if the agent was told of a dead end of the swarm. */
function observe(guard: Guard, { tool, args, output, isError = false }: WorkStep, time: VirtualTime): boolean {
  const at = time.now();
  guard.observe({ type: "round" });
  const { finding } = guard.observe({ type: "call", tool, args, at });
  guard.observe({ type: "result", output, at: at + 100, ...(isError && { error: true }) });
  return finding?.kind === "fleet";
}

import { DoomloopError, requireInteger } from "../core/doomloop-error.ts";
import type { FleetMember, FleetVerdict } from "./fleet-member.ts";

const MAX_NAME = 256;
/** Calls that are remembered for one fingerprint within a window. */
export const MAX_CALLS = 256;

/** The worker that joins a fleet, and which of its runs. */
export interface FleetWorker {
  /** The same for all runs of one worker, different for any two workers. 1 to 256 characters. */
  readonly worker: string;
  /**
   * Tells this run from the worker's other runs. Required if a worker has more than one run within a window: reports are
   * numbered per run, so the fleet would take the second run's reports for duplicates of the first run's.
   * @default ""
   */
  readonly run?: string;
  /**
   * What this worker shares with others besides the network: a checkout, a sandbox, a cluster. Calls about it count together with those of
   * workers in the same world. Up to 256 characters.
   * @default undefined: such calls do not count, unless `countAll` is set
   */
  readonly world?: string | undefined;
}

/** A dead end of the whole swarm: facts only, no text. */
export interface FleetGlobalFinding extends FleetVerdict {
  /** Identifies the call: a digest within one process, and a keyed digest in a store. Nobody can recover the arguments from it. */
  readonly fingerprint: string;
  /** The tool's name in a report. A worker wrote it: escape it before you show it. */
  readonly tool: string;
  /** The workers that made the calls, as far as the fleet remembers them. */
  readonly workerNames: readonly string[];
}

/**
 * What the runs that share a store know together: the calls that got none of them any further.
 *
 * Every fleet guarantees this, wherever it keeps its counts:
 *
 * - **Agents never wait for it.** A member's `report` queues the report and returns. Its `verdict` answers from what
 *   this process already knows. Neither throws. With a store on a network, reports travel in batches and verdicts
 *   arrive in the background, so a verdict may come late, but never too early.
 * - **A report counts once.** Worker, run and report id identify it, so a batch can be sent again after a fault.
 * - **Faults only under-count.** A report that is lost, unreadable or forgotten to save space is not counted. A call
 *   never counts twice, and never for longer than the window.
 * - **Only digests travel**, with the names of tool and worker: no arguments, no results.
 */
export interface Fleet {
  /** Creates the member to pass to `createGuard({ fleet })`. Throws a `DoomloopError` if a name is not valid. */
  join(worker: FleetWorker): FleetMember;
  /** The dead ends that this process knows of now, the one with the most calls first. */
  findings(): readonly FleetGlobalFinding[];
  /** Forgets everything, for all members. Call it when the swarm has finished its work. */
  clear(): void;
  /**
   * Resolves when everything reported and cleared here has either reached the store or been given up, and its verdicts
   * are known here. Never rejects. Use it at the end of a process and in tests; nothing else needs to wait.
   */
  flush(): Promise<void>;
}

/** When calls become a dead end of the swarm. Every kind of fleet has these options. */
export interface FleetOptions {
  /**
   * Calls with one fingerprint that make a finding, counted over all workers within the window.
   * @default 10
   */
  readonly calls?: number;
  /**
   * Different workers that must have made them. At least 2: a single worker's repeats are left to its own guard.
   * @default 2
   */
  readonly workers?: number;
  /**
   * The longest time that a call counts.
   * @default 300000
   */
  readonly windowMs?: number;
  /**
   * Count every call, whatever its outcome and whatever it is about. Otherwise only barren calls about something shared count, and a call
   * that got a worker further clears the count of its fingerprint.
   * @default false
   */
  readonly countAll?: boolean;
  /**
   * Returns the time in milliseconds. If the clock is set back, the fleet's time stands still; it never runs backwards.
   * @default Date.now, or a clock that is never set if a store keeps the counts
   */
  readonly now?: () => number;
}

export function isWorkerName(name: unknown): name is string {
  return typeof name === "string" && name.length > 0 && name.length <= MAX_NAME;
}

/** Fills in the run, and the world that all workers share with `countAll`. Throws a `DoomloopError` if a name is not valid. */
export function resolveFleetWorker({ worker, run = "", world }: FleetWorker, countAll: boolean): Required<FleetWorker> {
  const name = `a name of 1 to ${MAX_NAME} characters`;
  requireThat("join: worker", name, isWorkerName(worker), lengthOf(worker));
  requireThat("join: run", "a string", typeof run === "string", run);
  requireThat("join: world", name, world === undefined || isWorkerName(world), lengthOf(world));
  return { worker, run, world: world ?? (countAll ? "" : undefined) };
}

/** Fills in the defaults; throws a `DoomloopError` for an invalid option. */
export function resolveFleetOptions(options: FleetOptions): Required<FleetOptions> {
  const { calls = 10, workers = 2, windowMs = 300_000, countAll = false, now = Date.now } = options;
  requireInteger("fleet: calls", calls, 2, MAX_CALLS);
  requireInteger("fleet: workers", workers, 2, calls);
  requireInteger("fleet: windowMs", windowMs, 1);
  requireThat("fleet: now", "a function", typeof now === "function", now);
  return { calls, workers, windowMs, countAll, now };
}

/** Throws a `DoomloopError` if an option is not what is required. */
export function requireThat(where: string, what: string, isMet: boolean, got: unknown): void {
  if (!isMet)
    throw new DoomloopError("invalid-option", `${where}: ${what} is required, got ${String(got).slice(0, 64)}`);
}

function lengthOf(value: unknown): unknown {
  return typeof value === "string" ? `${value.length} characters` : value;
}

/** Elapsed milliseconds by a clock that may be set back: then they stand still. A reading that is not a finite number is ignored. */
export function createSteadyClock(now: () => number): () => number {
  let last = now();
  let elapsedMs = 0;
  return () => {
    const current = now();
    if (current > last) elapsedMs += current - last;
    if (Number.isFinite(current)) last = current;
    return elapsedMs;
  };
}

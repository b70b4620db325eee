import type { FleetMember, FleetVerdict } from "../core/fleet-member.ts";

/** Who joins: a worker, and which of its runs. */
export interface FleetWorker {
  /** The same for all runs of one worker, different for any two workers. 1 to 256 characters. */
  readonly worker: string;
  /**
   * Tells this run from the worker's other runs. Needed where a worker has more than one in a window: reports are
   * numbered within a run, and the second run's would be taken for the first one's delivered again.
   * @default ""
   */
  readonly run?: string;
}

/** A dead end of the whole swarm: facts, no words. */
export interface FleetGlobalFinding extends FleetVerdict {
  /**
   * Which call, in substance, the same in all workers. What the arguments were cannot be read from it. Within a process a
   * digest, in a store a keyed one.
   */
  readonly fingerprint: string;
  /** The tool as it was named last. Written by someone else: escape before showing. */
  readonly tool: string;
  /** Who made the calls, as far as they are remembered. */
  readonly workerNames: readonly string[];
}

/**
 * What the runs that share a store know together: which calls get none of them further.
 *
 * What every fleet keeps to, wherever its counts live:
 *
 * - **Nobody waits for it.** A member's `report` puts a report on its way and returns, its `verdict` answers from what is
 *   known here and now. Neither throws. A store on a network sends reports in batches and learns of verdicts
 *   meanwhile, so a verdict may come late; it never comes early.
 * - **A report counts once.** It is told by worker, run and report id, so a batch may be sent again after a fault.
 * - **Faults only under-count.** What is lost, forgotten for room or cannot be read is not counted. A call is never
 *   counted twice and never longer than the window.
 * - **Only digests travel**, with the names of tool and worker: no arguments, no results.
 */
export interface Fleet {
  /** A worker's side, for `createGuard({ fleet })`. Throws a `DoomloopError` for a name that is none. */
  join(worker: FleetWorker): FleetMember;
  /** The dead ends known here and now, the one with the most calls first. */
  findings(): readonly FleetGlobalFinding[];
  /** Forgets everything, for all members: the swarm has done its work. */
  clear(): void;
  /**
   * Resolves when all that was reported and cleared here has reached the store, or was given up, and its verdicts are
   * known here. Never rejects. For the end of a process, and for tests: nothing else needs to wait.
   */
  flush(): Promise<void>;
}

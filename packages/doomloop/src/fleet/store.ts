/** How many calls, by how many processes. */
export interface Thresholds {
  readonly calls: number;
  readonly workers: number;
}

/** A call that a store has counted: at least this many calls, by at least this many processes. */
export interface Suspect extends Thresholds {
  /** The call's name in the store: a keyed hash of 22 characters. */
  readonly name: string;
  readonly tool: string;
  /** How much longer the counts hold, in milliseconds. */
  readonly lastsMs: number;
  /** The process that cleared the counts, if one did: its short name, as in `StoreReport.witness`. A store should keep it. */
  readonly by?: string | undefined;
}

/** Calls that one process reports under one name. */
export interface StoreReport {
  readonly name: string;
  /** The calls, each with its own short name. A call that is reported again must not count again. */
  readonly calls: readonly string[];
  /** The process that reports. It must not count again either. */
  readonly witness: string;
}

/** What a store counted for a name, before and after a report. */
export interface StoreCounts {
  readonly before: Thresholds;
  readonly after: Thresholds;
  /** How much longer the counts hold. They end one window after the first call, whatever comes later. */
  readonly lastsMs: number;
}

/** What one process tells all others about a name. */
export interface Announcement extends Suspect {
  /** It was a dead end for long enough, and no process objected. Only `isFirst` may depend on this. */
  readonly isConfirmed: boolean;
}

/** News about a name. The latest news about each name counts; 0 calls mean that it was cleared. */
export interface StoreNews extends Suspect {
  /** How long ago it was announced, by the store's clock. */
  readonly ageMs: number;
}

/** What a process asks at a heartbeat. */
export interface StoreQuestion {
  /** Where the previous answer ended; undefined at first. It is the store's own value. */
  readonly cursor: unknown;
  /** The settings that all workers must share. The store keeps the first text that it is given. Undefined: write nothing. */
  readonly agreement: string | undefined;
}

/** The answer to a heartbeat. */
export interface StoreAnswer {
  /** What an operator has set, as it is; undefined if nothing is set. */
  readonly switch: string | undefined;
  /** The settings that the store keeps; undefined if it keeps none. */
  readonly agreed: string | undefined;
  /** What was announced since the previous answer, the oldest first; at first, whatever still counts. */
  readonly news: readonly StoreNews[];
  readonly cursor: unknown;
  /** There is more to read at once. */
  readonly isMore: boolean;
  /** Everything announced before the question is in this answer, or was in an earlier one. */
  readonly isComplete: boolean;
  /** So much was written that part of the news was left out. */
  readonly isFlooded?: boolean | undefined;
  /** News that was there at the previous question is gone too early. */
  readonly isRemoved?: boolean | undefined;
  /** The store answered, but refused a part of the question. */
  readonly refusal?: Error | undefined;
}

/** What a process asks about active runs, and about runs to be stopped. */
export interface PermitQuestion {
  /** Runs of this process that are active, by their names. */
  readonly runs: readonly string[];
  /** How many runs ask to be stopped. */
  readonly places: number;
}

/** The answer to that. */
export interface PermitAnswer {
  /** For each run that asks, how many have asked within the window, including itself. The number may be too high, never too low. */
  readonly places: readonly number[];
  /** About how many runs of all processes were active within the window. */
  readonly runs: number;
}

/**
 * Where a fleet keeps its counts. One store object serves one tenant.
 *
 * - **Counts are sets.** A report that is sent again, by a client or by a process, changes nothing.
 * - **Nothing counts for longer than a window** from the first call, and nothing that is read is larger than the reader has asked for.
 * - **A method rejects if the store does not answer.** It rejects with a {@link storeRefusal} if the store answers and refuses.
 * - **Nothing waits for a store**, so a method may take long. What it answers late still counts.
 *
 * `assertFleetStore` of `doomloop/testing` tests a store.
 */
export interface FleetStore {
  /** Adds calls and their process under a name. */
  count(report: StoreReport): Promise<StoreCounts>;
  /** Forgets what is counted under a name, and says how much that was. */
  forget(name: string): Promise<Thresholds>;
  /** Tells all processes. For each announcement that is confirmed, the answer is true for the first process within a window. */
  announce(announcements: readonly Announcement[]): Promise<readonly boolean[]>;
  /** One heartbeat: the switch, the settings, and the news. */
  beat(question: StoreQuestion): Promise<StoreAnswer>;
  /** Notes active runs, and hands out places in the queue of runs to be stopped. */
  permit(question: PermitQuestion): Promise<PermitAnswer>;
}

/** What a store is opened for. */
export interface StoreSpace {
  readonly tenant: string;
  readonly windowMs: number;
}

/** Opens the store of a fleet. */
export type OpenFleetStore = (space: StoreSpace) => FleetStore;

const REFUSAL = "StoreRefusal";

/** The error of a store that answers, but does not do what it is asked: no memory, no rights, a replica. */
export function storeRefusal(reason: string): Error {
  return Object.assign(new Error(reason), { name: REFUSAL });
}

export function isStoreRefusal(fault: unknown): fault is Error {
  return fault instanceof Error && fault.name === REFUSAL;
}

export function isDeadEnd({ calls, workers }: Thresholds, least: Thresholds): boolean {
  return calls >= least.calls && workers >= least.workers;
}

/** Counts are capped here. Up to this number, a store never counts too much. */
export const MAX_COUNTED = 100;

export function cappedCounts([calls = 0, workers = 0]: readonly number[]): Thresholds {
  return { calls: Math.min(calls, MAX_COUNTED), workers: Math.min(workers, MAX_COUNTED) };
}

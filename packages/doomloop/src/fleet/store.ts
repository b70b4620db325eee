/** How many calls, by how many processes, a store counts under one name. */
export interface StoreCounts {
  readonly calls: number;
  readonly processes: number;
  /** How much longer the counts hold, in milliseconds. They end one window after the first call, whatever comes later. */
  readonly lastsMs: number;
}

/** Calls that one process reports under one name, each with its own short name, and the short name of the process. */
interface StoreReport {
  /** A keyed hash of the call, of 22 characters. */
  readonly name: string;
  /** At most 100. */
  readonly calls: readonly string[];
  readonly process: string;
}

/** A call that led enough processes nowhere, as a process has noticed. A worker wrote the tool's name. */
export interface Suspect {
  readonly name: string;
  readonly tool: string;
}

/**
 * Where a fleet keeps its counts. One store object serves one tenant, and nobody waits for it: a method may take long. It rejects if the
 * store does not answer, or refuses. `assertFleetStore` of `doomloop/testing` tests a store.
 *
 * Whatever is sent again, by a client or by a process, changes nothing: counts are sets.
 */
export interface FleetStore {
  /** Adds calls and their process under a name, and resolves to what is counted then. Without calls, it only reads. */
  count(report: StoreReport): Promise<StoreCounts>;
  /** Puts a call on the list of suspects. Resolves to true if it was not there, and to false if the list is full. */
  suspect(suspect: Suspect): Promise<boolean>;
  /** The list of suspects, at most 100. */
  suspects(): Promise<readonly Suspect[]>;
  /** Forgets what is counted under a name, and takes it off the list. */
  clear(name: string): Promise<unknown>;
}

/** Opens the store of a tenant. */
export type OpenFleetStore = (space: { readonly tenant: string; readonly windowMs: number }) => FleetStore;

/** A list is read often, by every process. */
export const MAX_SUSPECTS = 100;
/** Up to this number, a store never counts too much. */
export const MAX_COUNTED = 100;

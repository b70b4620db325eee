/** The state that these tests keep: everybody who was here, in the order in which they came. */
export interface Ledger {
  readonly count: number;
  readonly ids: readonly string[];
  /** Makes the state as large as a guard's. */
  readonly filler: string;
}

/** What a process is asked to do. */
export interface ProcessOrder {
  readonly directory: string;
  readonly session: string;
  /** One update for each. */
  readonly ids: readonly string[];
  readonly generationBytes?: number;
  readonly budgetMs?: number;
  readonly fillerBytes?: number;
  /** Waits for a byte on its standard input before it begins. */
  readonly isHeld?: boolean;
  /** Removes expired journals at the end. */
  readonly sweeps?: boolean;
}

/** What a process says about an update. */
export interface ProcessReport {
  readonly id: string;
  readonly isKept: boolean;
  readonly tries: number;
  readonly ms: number;
  /** The fault, if it was not kept. */
  readonly code?: string;
}

export function addId(ledger: Ledger | undefined, id: string, fillerBytes = 0): Ledger {
  return { count: (ledger?.count ?? 0) + 1, ids: [...(ledger?.ids ?? []), id], filler: "f".repeat(fillerBytes) };
}

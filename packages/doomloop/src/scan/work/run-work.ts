import type { CheckRuns, FileRead, TokenShares, WorkShare, WorkTime } from "../report/work.ts";

/** What a run did, as plain data of a bounded size. */
export interface RunWork {
  /** Null if the run has no times. */
  readonly time: WorkTime | null;
  /** Null if the run has no token counts. */
  readonly tokens: TokenShares | null;
  readonly tools: readonly WorkShare[];
  readonly kinds: readonly WorkShare[];
  readonly files: RunFiles;
  readonly checks: readonly CheckRuns[];
  readonly compactions: number;
  /** The number of calls in each hour since 1970 that has one. */
  readonly hours: readonly (readonly [hour: number, calls: number])[];
}

export interface RunFiles {
  readonly reads: number;
  readonly again: number;
  readonly unchanged: number;
  /** Files that were read before and after a compaction, counted once for each compaction. */
  readonly readAgain: number;
  readonly most: readonly Omit<FileRead, "session">[];
  /** The files that were read again after most compactions. */
  readonly lost: readonly Omit<FileRead, "session" | "unchanged">[];
}

import type { CheckRuns, FileRead, TokenShares, WorkShare, WorkTime } from "../report/work.ts";

/**
 * What a run did from one message of the user to the next, as plain data of a bounded size. A run is forked and resumed
 * at messages of the user, so a part is copied as a whole.
 */
export interface WorkPart {
  /** The number of the run's answers up to its end. */
  readonly answers: number;
  readonly calls: number;
  readonly failed: number;
  /** Runs of checks, and edits of files that succeeded. */
  readonly tests: number;
  readonly edits: number;
  /** Null if the run has no times. */
  readonly time: WorkTime | null;
  /** Null if the run has no token counts. */
  readonly tokens: TokenShares | null;
  readonly tools: readonly WorkShare[];
  readonly kinds: readonly WorkShare[];
  readonly files: FileCounts;
  readonly checks: readonly CheckRuns[];
  readonly compactions: number;
  /** The number of calls in each hour since 1970 that has one. */
  readonly hours: readonly (readonly [hour: number, calls: number])[];
}

/** How many answers a run had before one of its parts. */
export function answersBefore(parts: readonly Pick<WorkPart, "answers">[], part: number): number {
  return parts[part - 1]?.answers ?? 0;
}

export interface FileCounts {
  readonly reads: number;
  readonly again: number;
  readonly unchanged: number;
  /** Files that were read before and after a compaction, counted once for each compaction. */
  readonly readAgain: number;
}

/** The files that a run read again most often. */
export interface FilesReadMost {
  readonly most: readonly Omit<FileRead, "session">[];
  /** After most compactions. */
  readonly lost: readonly Omit<FileRead, "session" | "unchanged">[];
}

/**
 * What sessions did, whether they had loops or not: where time and text went, what was read again, which checks failed.
 *
 * Every figure adds up what the transcripts hold. What several files hold counts once.
 */
export interface Work {
  /** The calls that were looked at. */
  readonly calls: number;
  /** Null if no transcript has times. */
  readonly time: WorkTime | null;
  /** Null if no transcript has token counts. */
  readonly tokens: TokenShares | null;
  /** By tool, the one that took most time first. Shells of several names are "shell". The rest has the name null, and comes last. */
  readonly tools: readonly WorkShare[];
  /** By what calls do: "look", "watch", "act", "move", "write", "say", "test" or "wait". */
  readonly kinds: readonly WorkShare[];
  readonly files: FileReads;
  /** Tests, linters, type checks and builds. The one that failed most comes first. At most ten. */
  readonly checks: readonly CheckRuns[];
  readonly compactions: Compactions;
  /** Null if no transcript has times. */
  readonly days: ActiveDays | null;
}

/** The time of all agents, added up. Its three parts do not overlap. */
export interface WorkTime {
  /** Until the results of calls. */
  readonly toolsMs: number;
  /** Until the model called or said something. */
  readonly modelMs: number;
  /** Until a person spoke, and everything that took longer than an hour. */
  readonly pausesMs: number;
}

/** The recorded tokens of all answers. */
export interface TokenShares {
  /** New to the model. */
  readonly input: number;
  /** The conversation so far, from the cache. */
  readonly cacheRead: number;
  /** Put into the cache. */
  readonly cacheWrite: number;
  readonly output: number;
}

/** The calls of one tool, or of one kind of work. */
export interface WorkShare {
  /** Comes from the transcript: escape before showing. */
  readonly name: string | null;
  readonly calls: number;
  readonly failed: number;
  /** From each call to its result. Calls in parallel share their time. */
  readonly timeMs: number;
  /** The length of the results, which the model has to read. */
  readonly characters: number;
}

/** Files that were read. A file is read again if the same session has read it before. */
interface FileReads {
  readonly reads: number;
  readonly again: number;
  /** Of those, the ones that returned the same text as the time before. */
  readonly unchanged: number;
  /** The files that one session read most often. At most five. A session that is in part a copy of another names none. */
  readonly most: readonly FileRead[];
}

export interface FileRead {
  /** The base name, or only its ending. Null if neither can be shown. Comes from the transcript: escape before showing. */
  readonly what: string | null;
  readonly session: string;
  readonly times: number;
  readonly unchanged: number;
}

export interface CheckRuns {
  /** The program and its subcommand. Comes from the transcript: escape before showing. */
  readonly what: string;
  readonly runs: number;
  readonly failed: number;
}

/** How often conversations were compacted, and which files were read again after it. */
interface Compactions {
  readonly count: number;
  readonly sessions: number;
  /** Files that were read before and after a compaction, counted once for each compaction. */
  readonly readAgain: number;
  /** The files that were read again after most compactions of one session. At most five. */
  readonly most: readonly Omit<FileRead, "unchanged">[];
}

/** When agents worked, by the clock of the machine that scanned. */
export interface ActiveDays {
  /** Days with a call. */
  readonly days: number;
  /** Sessions with a call, each counted on the day it began. */
  readonly sessions: number;
  /** Half of the days had fewer calls, half had more. */
  readonly medianCalls: number;
  /** The day with most calls, as `2026-11-09`. */
  readonly busiest: { readonly date: string; readonly calls: number };
  /** The calls of each hour of the day, over all days: 24 numbers. */
  readonly hours: readonly number[];
}

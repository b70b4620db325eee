/**
 * What a scan found, as `--json` prints it and as the report page shows it. Version 1: fields are added, never renamed.
 *
 * Redacted unless `includesContent`: tools, base names, counts and short hashes; no arguments, no results, no words.
 * Everything textual is foreign: escape before showing.
 */
export interface Report {
  readonly version: 1;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly generator: { readonly name: "doomloop"; readonly version: string; readonly preset: string };
  readonly range: { readonly since: string | null; readonly until: string | null };
  readonly includesContent: boolean;
  /** The day of the price list, or null where nothing was priced. */
  readonly pricesAsOf: string | null;
  readonly totals: Totals;
  readonly sessions: readonly SessionSummary[];
  /** The dearest first. */
  readonly loops: readonly LoopSummary[];
  /** The steps of runs that hold a loop, by session id; the longest runs are cut around their loops. */
  readonly runs: Readonly<Record<string, RunSteps>>;
  /** Lines that could not be read, files that were skipped. */
  readonly skipped: { readonly lines: number; readonly files: number };
  /** What hooks on this machine have counted in that time. Absent where they have not, and where not all of the machine was asked for. */
  readonly hooks?: HookTally;
}

/** What hooks said to coding agents, and what came of it. */
export interface HookTally {
  /** Words to agents. */
  readonly words: number;
  /** Questions to people, whether a call is to run. */
  readonly questions: number;
  /** Calls that were refused. */
  readonly refusals: number;
  /** Runs that were ended. */
  readonly ends: number;
  /** Nudges whose loop did not show again in the five rounds behind them. */
  readonly obeyed: number;
  /** Nudges behind which the loop went on, without anything new. */
  readonly ignored: number;
  /** How often a person said, with `doomloop allow`, that the latest loop is none. */
  readonly allowed: number;
}

/** An amount that is known or guessed: `low` equals `high` where it was recorded. */
export interface Amount {
  readonly low: number;
  readonly high: number;
  readonly isEstimated: boolean;
}

export interface Totals {
  readonly sessions: number;
  readonly sessionsWithLoops: number;
  readonly calls: number;
  readonly loops: number;
  readonly loopsByKind: Readonly<Record<string, number>>;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  /** Sessions with tokens whose model has no price: `costUsd` lacks them. */
  readonly unpricedSessions: number;
  /**
   * Spent after the guard would have spoken: `high` after its first word, `low` after it would first have refused a call,
   * each up to the end of the loop. What listening could have saved lies in between, at most.
   */
  readonly afterOnset: { readonly calls: number; readonly tokens: Amount | null; readonly costUsd: Amount | null };
}

export interface SessionSummary {
  /** Unique in the report, short, and safe in a URL. */
  readonly id: string;
  readonly agent: string;
  readonly project: string | null;
  readonly model: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The transcript does not say when it ended: `endedAt` is when its file was last written. */
  readonly isFileTime: boolean;
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  readonly loops: number;
}

export interface LoopSummary {
  readonly id: string;
  readonly session: string;
  readonly kind: string;
  readonly tools: readonly string[];
  /** One line on what repeated: tool and base name. */
  readonly what: string;
  readonly count: number;
  readonly period: number | null;
  readonly confidence: number;
  /** Calls by index, 0-based: where the repetition began, where it ended. */
  readonly onset: number;
  readonly end: number;
  /** What the guard would have said, and at which call. */
  readonly decisions: readonly { readonly call: number; readonly action: "nudge" | "block" | "restart" | "stop" }[];
  /**
   * The latest occurrences of the call that were not counted as repeats, and why: "changed-world", "user-spoke", "news-in-lap", "waiting",
   * "sampling", "same-round", "compaction", "says-nothing". Some lie before the onset.
   */
  readonly uncounted: readonly { readonly call: number; readonly reason: string }[];
  readonly at: string | null;
  readonly afterOnset: { readonly calls: number; readonly tokens: Amount | null; readonly costUsd: Amount | null };
}

export interface RunSteps {
  /** Index of the first step that is listed: earlier ones were cut. */
  readonly from: number;
  /** How many steps the run has in all. */
  readonly total: number;
  readonly steps: readonly ReportStep[];
}

export interface ReportStep {
  readonly call: number;
  readonly tool: string;
  /** Tool and base name. */
  readonly label: string;
  /** Equal calls share it: a short hash. */
  readonly same: string;
  /** Equal outcomes share it: a short hash; null without a result. */
  readonly outcome: string | null;
  readonly isFailing: boolean;
  readonly at: string | null;
  /** Only with content. */
  readonly arguments?: string;
  readonly output?: string;
}

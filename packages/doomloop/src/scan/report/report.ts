/**
 * What a scan found, as `--json` prints it and as the report page shows it. Version 1: fields are added, never renamed.
 *
 * Redacted unless `includesContent`: tools, base names and counts; no arguments, no results, no words.
 * Everything textual is foreign: escape before showing.
 */
export interface Report {
  readonly version: 1;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly generator: {
    readonly name: "doomloop";
    readonly version: string;
    readonly preset: string;
    /** The file of options that runs were judged by, as seen from the folder of the scan; null without one. */
    readonly config: string | null;
  };
  readonly range: { readonly since: string | null; readonly until: string | null };
  readonly includesContent: boolean;
  /** The day of the price list, or null where nothing was priced. */
  readonly pricesAsOf: string | null;
  readonly totals: Totals;
  readonly sessions: readonly SessionSummary[];
  /** The dearest first. */
  readonly loops: readonly LoopSummary[];
  /** The steps of runs that hold a loop, by session id; of the longest runs, the first and those around their loops. */
  readonly runs: Readonly<Record<string, RunSteps>>;
  /**
   * Lines that could not be read; files that no reader knows, that break off, or that are none (links out of the folder, pipes, devices);
   * folders that could not be read to their end.
   */
  readonly skipped: { readonly lines: number; readonly files: number; readonly folders: number };
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

/** Who says what a session cost: the agent itself, the price list for the tokens that the agent recorded, or for those that its text has. */
export type CostFrom = "recorded" | "priced" | "estimated";

export interface Totals {
  /** Whole sessions: a subagent belongs to the one of its main agent. */
  readonly sessions: number;
  /** Runs of agents: as many as `sessions` lists. */
  readonly agents: number;
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

/** What one agent did: a main agent's run, or a subagent's. */
export interface SessionSummary {
  /** Unique in the report, short, and safe in a URL. */
  readonly id: string;
  /** For a subagent's run, the id of the main agent's, which need not be in the report; null for a main agent's, and where nobody knows. */
  readonly partOf: string | null;
  readonly agent: string;
  /** What people call the agent. */
  readonly agentName: string;
  readonly project: string | null;
  readonly model: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The transcript does not say when it ended: `endedAt` is when its file was last written. */
  readonly isFileTime: boolean;
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  /** Null where there is no cost. */
  readonly costFrom: CostFrom | null;
  readonly loops: number;
}

/** What a loop is, wherever its calls are counted from. */
export interface LoopFacts {
  readonly kind: string;
  /** Written by someone else: escape before showing. */
  readonly tools: readonly string[];
  /** One line on what repeated: tool and base name. */
  readonly what: string;
  readonly count: number;
  readonly period: number | null;
  readonly confidence: number;
}

export interface LoopSummary extends LoopFacts {
  readonly id: string;
  readonly session: string;
  /** The calls, counted from 1, where the repetition began and where it ended. */
  readonly onset: number;
  readonly end: number;
  /** What the guard would have said, and at which call. */
  readonly decisions: readonly { readonly call: number; readonly action: "nudge" | "block" | "restart" | "stop" }[];
  /** How many decisions there were in all: the list above ends after the first hundred. */
  readonly decided: number;
  /**
   * The latest occurrences of the call that were not counted as repeats, and why: "changed-world", "user-spoke", "news-in-lap", "waiting",
   * "sampling", "same-round", "compaction", "says-nothing". Some lie before the onset.
   */
  readonly uncounted: readonly { readonly call: number; readonly reason: string }[];
  readonly at: string | null;
  /** As in the totals. What several loops share is counted for the one that was spoken about first: loops add up to the totals. */
  readonly afterOnset: { readonly calls: number; readonly tokens: Amount | null; readonly costUsd: Amount | null };
}

export interface RunSteps {
  /** The first call that is listed: earlier ones were cut. */
  readonly from: number;
  /** How many steps the run has in all. */
  readonly total: number;
  readonly steps: readonly ReportStep[];
}

export interface ReportStep {
  /** Counted from 1. */
  readonly call: number;
  readonly tool: string;
  /** Tool and base name. */
  readonly label: string;
  /** Equal calls of a run share it: `c1`, `c2`, and so on. It says nothing of what they are. */
  readonly same: string;
  /** Equal outcomes of a run share it: `r1`, `r2`, and so on; null without a result. */
  readonly outcome: string | null;
  readonly isFailing: boolean;
  readonly at: string | null;
  /** Only with content, and only as far as there is room for it. */
  readonly arguments?: string;
  readonly output?: string;
}

/** The call at which the guard would first have ended a run, given all loops of it; undefined where it would have let it go on. */
export function stoppedAt(loops: readonly Pick<LoopSummary, "decisions">[]): number | undefined {
  let first: number | undefined;
  for (const { decisions } of loops) {
    for (const { call, action } of decisions) {
      if (action === "stop" && (first === undefined || call < first)) first = call;
    }
  }
  return first;
}

/**
 * The loops of one run with what the guard would have done up to its first stop, and that stop once.
 *
 * A recorded run goes on after it, and the scan notes what the guard says to each further call. With the guard there would have
 * been none: a loop that shows only after the stop keeps no decisions. Takes all loops of a run, and of no other.
 */
export function decisionsUntilStop<Loop extends Pick<LoopSummary, "decisions">>(
  loops: readonly Loop[],
): readonly Loop[] {
  const stop = stoppedAt(loops);
  if (stop === undefined) return loops;
  return loops.map((loop) => ({ ...loop, decisions: loop.decisions.filter(({ call }) => call <= stop) }));
}

import type { Span } from "./spans.ts";

/**
 * The result of a scan, as `--json` prints it and the report page shows it. Version 1: fields are added, never renamed.
 *
 * Redacted unless `includesContent` is true: tools, base names and counts, but no arguments, results or text. All text
 * comes from transcripts: escape it before showing it.
 */
export interface Report {
  readonly version: 1;
  /** ISO 8601. */
  readonly generatedAt: string;
  readonly generator: {
    readonly name: "doomloop";
    readonly version: string;
    readonly preset: string;
    /** The configuration file used, relative to the folder of the scan. Null without one. */
    readonly config: string | null;
  };
  readonly range: { readonly since: string | null; readonly until: string | null };
  readonly includesContent: boolean;
  /** The date of the price list. Null if nothing was priced. */
  readonly pricesAsOf: string | null;
  readonly totals: Totals;
  /**
   * The calls that were made most often in a session and are no loop. At most three, most first. A session that is in
   * part a copy of another names none.
   */
  readonly repeated: readonly RepeatedCall[];
  readonly sessions: readonly SessionSummary[];
  /** The worst first: by cost, and where the price is missing, by calls. */
  readonly loops: readonly LoopSummary[];
  /**
   * What the guard would have taken for a loop, and what the rest of the session leaves doubts about: the agent left it
   * by itself, or it came to something at last. No total includes them but their own.
   */
  readonly possibleLoops: readonly LoopSummary[];
  /** What to do about the loops, for each cause that was found, the most frequent first. */
  readonly advice: readonly Advice[];
  /** The steps of runs with a loop, by session id. For the longest runs, the first steps and those around loops. */
  readonly runs: Readonly<Record<string, RunSteps>>;
  /**
   * Lines that could not be read. Files that no reader recognises, that could not be read to their end, or that are not
   * regular files (links out of the folder, pipes, devices). Folders that could not be read completely.
   */
  readonly skipped: { readonly lines: number; readonly files: number; readonly folders: number };
  /** How many files were read to their end, of how many, if the scan was stopped before. Null if it was not. */
  readonly stopped: StoppedScan | null;
  /** What hooks on this machine counted in that time. Absent if they counted nothing, or if a part was scanned. */
  readonly hooks?: HookTally;
}

export interface RepeatedCall {
  /** Tool and base name. Comes from the transcript: escape before showing. */
  readonly what: string;
  readonly session: string;
  readonly times: number;
  /** Why it did not count, most often. Null if it always did: it came too rarely in a row. */
  readonly reason: string | null;
}

/** A paragraph to put into a file that agents read, and the loops that it is for. */
export interface Advice {
  readonly cause: string;
  /** What happened, for the person who reads it. */
  readonly title: string;
  /** On how much it rests: loops with this cause, the sessions they are in, and how often something was repeated in them. */
  readonly loops: number;
  readonly sessions: number;
  readonly repeats: number;
  /** For AGENTS.md, CLAUDE.md or the like. */
  readonly paragraph: string;
  /** For the description of a tool, or for people. Undefined if the agent alone can change it. */
  readonly also?: string;
}

/** How far a scan came that did not read all files. */
export interface StoppedScan {
  readonly read: number;
  readonly files: number;
}

/** What hooks told coding agents, and how the agents reacted. */
export interface HookTally {
  readonly words: number;
  /** Questions to people whether a call should run. */
  readonly questions: number;
  /** Refused calls. */
  readonly refusals: number;
  /** Ended runs. */
  readonly ends: number;
  /** Nudges after which the loop did not appear again within five rounds. */
  readonly obeyed: number;
  /** Nudges after which the loop went on without anything new. */
  readonly ignored: number;
  /** How often a user marked the latest loop as a false alarm with `doomloop allow`. */
  readonly allowed: number;
}

/** A recorded or estimated amount. `low` equals `high` if it was recorded. */
export interface Amount {
  readonly low: number;
  readonly high: number;
  readonly isEstimated: boolean;
}

/**
 * Where a session's cost comes from. `recorded`: the agent recorded it. `priced`: list prices for recorded tokens.
 * `estimated`: list prices for tokens estimated from the text.
 */
export type CostFrom = "recorded" | "priced" | "estimated";

export interface Totals {
  /** Whole sessions. A subagent belongs to the session of its main agent. */
  readonly sessions: number;
  /** Runs of main agents and subagents: the length of the report's `sessions`. */
  readonly agents: number;
  readonly sessionsWithLoops: number;
  readonly calls: number;
  readonly loops: number;
  readonly possibleLoops: number;
  readonly loopsByKind: Readonly<Record<string, number>>;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  /** Sessions with tokens whose model has no price. `costUsd` does not include them. */
  readonly unpricedSessions: number;
  /**
   * Spent after the guard would have stepped in, up to the end of the loop: `high` after its first nudge, `low` after
   * the first call it would have refused. The possible saving lies in between, at most.
   */
  readonly afterOnset: LateSpending;
}

export interface Spent {
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
}

/** What was spent after the guard would have stepped in. */
export interface LateSpending extends Spent {
  readonly calls: number;
  /** The model's answers: those that made the calls, or that were given without a call. Absent in reports of earlier versions. */
  readonly answers?: number;
  /** How long those calls took. Null if the transcript has no times. Reports of earlier versions have none. */
  readonly timeMs?: number | null;
  /** What was spent after the first nudge: a range only where it is estimated. Absent in reports of earlier versions. */
  readonly fromNudge?: Spent;
}

/** The run of a main agent or of a subagent. */
export interface SessionSummary {
  /** Short, unique in the report, and safe in a URL. */
  readonly id: string;
  /**
   * For a subagent's run, the id of the main agent's run, which may not be in the report. Null for a main agent's run,
   * and if the parent is unknown.
   */
  readonly partOf: string | null;
  readonly agent: string;
  /** The agent's display name. */
  readonly agentName: string;
  readonly project: string | null;
  readonly model: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** `endedAt` is the modification time of the file. */
  readonly isFileTime: boolean;
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  /** Null if there is no cost. */
  readonly costFrom: CostFrom | null;
  readonly loops: number;
  readonly possibleLoops: number;
}

/** The facts of a loop that do not depend on how calls are numbered. */
export interface LoopFacts {
  readonly kind: string;
  /** The tool whose calls show the loop comes first. Comes from the transcript: escape before showing. */
  readonly tools: readonly string[];
  /** What repeated, in one line: tool and base name. */
  readonly what: string;
  /** How often it was made: laps of a cycle, answers of words, and otherwise calls. Those that did not count are included. */
  readonly count: number;
  readonly period: number | null;
  /** How much evidence there was, in plain repeats: the same call with the same telling result adds 1. */
  readonly weight: number;
  readonly confidence: number;
  /** Whether the calls have equal arguments. If not, they are the same in substance, similar, or share an outcome. */
  readonly areEqual: boolean;
  /**
   * Why the agent went in circles, if the steps show it: "result-unread", "tool-missing", "closed-door",
   * "faulty-call", "edit-mismatch", "test-without-edit", "fix-without-effect", "already-done", "lost-after-compaction",
   * "nothing-found", "impatient" or "unknown".
   */
  readonly cause: string;
  /** Whether it is one of the possible loops. */
  readonly isPossible: boolean;
}

export interface LoopSummary extends LoopFacts {
  readonly id: string;
  readonly session: string;
  /** The first and the last call of the repetition, counted from 1. */
  readonly onset: number;
  readonly end: number;
  /**
   * The calls of the loop, as pairs of the first and the last call of a row. Calls between them are other work, or did
   * not count. Empty for loops of words.
   */
  readonly calls: readonly Span[];
  /** What the guard would have done, and at which call. If no call belongs to the loop, after which. */
  readonly decisions: readonly { readonly call: number; readonly action: "nudge" | "block" | "restart" | "stop" }[];
  /** The number of all decisions. The list above ends after the first hundred. */
  readonly decided: number;
  /**
   * The latest occurrences of the call that added no evidence, and why: "changed-world", "user-spoke", "news-in-lap",
   * "new-outcome", "waiting", "asked-for", "same-round", "compaction". Some come before the onset.
   */
  readonly uncounted: readonly { readonly call: number; readonly reason: string }[];
  readonly at: string | null;
  /**
   * As in the totals. What several loops share counts for the one that the guard noticed first, so loops add up to the
   * totals.
   */
  readonly afterOnset: LateSpending;
}

export interface RunSteps {
  /** The first listed call. Earlier ones were cut. */
  readonly from: number;
  /** The number of all steps of the run. */
  readonly total: number;
  readonly steps: readonly ReportStep[];
}

export interface ReportStep {
  /** Counted from 1. */
  readonly call: number;
  readonly tool: string;
  /** Tool and base name. */
  readonly label: string;
  /** The same for equal calls of a run: `c1`, `c2`, and so on. Reveals nothing about the calls. */
  readonly same: string;
  /** The same for equal outcomes of a run: `r1`, `r2`, and so on. Null without a result. */
  readonly outcome: string | null;
  readonly isFailing: boolean;
  /** What the call added to the evidence as a repeat, in plain repeats. Absent if it added nothing. */
  readonly added?: number;
  /** Why it added nothing as a repeat. Absent if it added something, or is no repeat. */
  readonly reason?: string;
  readonly at: string | null;
  /** Only with content, and only up to a limit. */
  readonly arguments?: string;
  readonly output?: string;
}

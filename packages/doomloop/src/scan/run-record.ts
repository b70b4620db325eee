import type { Action } from "../core/decision.ts";
import type { Reason } from "../core/reason.ts";
import type { Amount, CostFrom, LoopFacts, ReportStep } from "./report/report.ts";

/** What was spent after the guard would have spoken. */
export interface AfterOnset {
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
}

/** A repeat that was not counted, and why. */
export interface Uncounted {
  readonly call: number;
  readonly reason: Reason;
}

/** One loop of a run: the decisions that share a loop identity and lie close together. */
export interface LoopRecord extends LoopFacts {
  /** The loop identity. */
  readonly loop: string;
  readonly onset: number;
  readonly end: number;
  readonly decisions: readonly { readonly call: number; readonly action: Action }[];
  /** Decisions in all; the list above is cut. */
  readonly decided: number;
  /** The latest repeats that were not counted, in order. */
  readonly uncounted: readonly Uncounted[];
  /** Milliseconds since 1970. */
  readonly at: number | null;
  /** The answers after which the guard first spoke, first refused, and the loop's last; the call at which it spoke. */
  readonly spokeAfter: number;
  readonly refusedAfter?: number | undefined;
  readonly lastAnswer: number;
  readonly spokeAt: number;
  readonly afterOnset: AfterOnset;
}

/** What each model answer of a run took, so that one that another file repeats is counted once. */
export interface AnswerRecord {
  /** A short hash of what names each answer, so many digits each; zeros where nothing does. */
  readonly ids: string;
  readonly calls: readonly number[];
  readonly tokens: readonly number[];
  /** Null where nothing has a price. */
  readonly costUsd: readonly number[] | null;
}

/** What a scan keeps of one run. Plain data: it goes from a worker to the main thread, and into the cache. */
export interface RunRecord {
  readonly agent: string;
  readonly run: string;
  /** The name of the run that started this one, if it is a subagent's. */
  readonly parent: string | null;
  /** The whole path, for choosing by it; reports show its base name. */
  readonly project: string | null;
  readonly model: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  readonly costFrom: CostFrom | null;
  /** Over all loops, each answer counted once. */
  readonly afterOnset: AfterOnset;
  readonly loops: readonly LoopRecord[];
  /** Null where no answer bears a name of its own. */
  readonly answers: AnswerRecord | null;
  /** Events that are none. */
  readonly badEvents: number;
  /** Faults inside the guard. */
  readonly faults: number;
}

/** The steps of a run that are worth showing. */
export interface StepRecord {
  readonly total: number;
  readonly steps: readonly ReportStep[];
}

/** What a scan keeps of one file. */
export interface FileRecord {
  /** The agent that wrote it; null if no reader knows it. */
  readonly agent: string | null;
  readonly runs: readonly RunRecord[];
  /** Of runs with loops, by their place in `runs`. */
  readonly steps: Readonly<Record<number, StepRecord>>;
  readonly skippedLines: number;
  /** Why the file could not be read, if so. */
  readonly fault: string | null;
}

import type { Action } from "../../core/decision.ts";
import type { Amount, ReportStep } from "./report.ts";

/** What was spent after the guard would have spoken. */
export interface AfterOnset {
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
}

/** One loop of a run: the decisions that share a loop identity and lie close together. */
export interface LoopRecord {
  /** The loop identity. */
  readonly loop: string;
  readonly kind: string;
  /** Written by someone else: escape before showing. */
  readonly tools: readonly string[];
  readonly what: string;
  readonly count: number;
  readonly period: number | null;
  readonly confidence: number;
  readonly onset: number;
  readonly end: number;
  readonly decisions: readonly { readonly call: number; readonly action: Action }[];
  /** Decisions in all; the list above is cut. */
  readonly decided: number;
  /** Milliseconds since 1970. */
  readonly at: number | null;
  readonly afterOnset: AfterOnset;
}

/** What a scan keeps of one run. Plain data: it goes from a worker to the main thread, and into the cache. */
export interface RunRecord {
  readonly agent: string;
  readonly run: string;
  /** The whole path, for choosing by it; reports show its base name. */
  readonly project: string | null;
  readonly model: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  /** Over all loops, each answer counted once. */
  readonly afterOnset: AfterOnset;
  readonly loops: readonly LoopRecord[];
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

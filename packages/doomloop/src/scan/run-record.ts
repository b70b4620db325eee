import type { Action } from "../core/decision.ts";
import type { Reason } from "../core/finding.ts";
import type { Amount, CostFrom, LoopFacts, RepeatedCall, ReportStep, Totals } from "./report/report.ts";
import type { Span } from "./report/spans.ts";

/** What was spent after the guard would have stepped in. */
export type AfterOnset = Totals["afterOnset"];

/** A repeat that did not count, and why. */
export interface Uncounted {
  readonly call: number;
  readonly reason: Reason;
}

/** One loop of a run: decisions that share a loop identity and lie close together. */
export interface LoopRecord extends LoopFacts {
  readonly loop: string;
  readonly onset: number;
  readonly end: number;
  /** The calls that findings name. Empty for loops of words. */
  readonly calls: readonly Span[];
  /** The answers that made them. */
  readonly answers: readonly Span[];
  readonly decisions: readonly { readonly call: number; readonly action: Action }[];
  /** The number of all decisions. The list above may be cut. */
  readonly decided: number;
  /** The latest repeats that did not count, in order. */
  readonly uncounted: readonly Uncounted[];
  /** Milliseconds since 1970. */
  readonly at: number | null;
  /**
   * `spokeAfter` and `refusedAfter` are the answers after which the guard first decided and first refused a call.
   * `spokeAt` is the call of the first decision.
   */
  readonly spokeAfter: number;
  readonly refusedAfter?: number | undefined;
  readonly spokeAt: number;
  readonly afterOnset: AfterOnset;
}

/** What each model answer of a run used. With it, an answer that another file repeats is counted once. */
export interface AnswerRecord {
  /** A hash of each answer's id, all with the same number of digits. Zeros for an answer without an id. */
  readonly ids: string;
  readonly calls: readonly number[];
  readonly tokens: readonly number[];
  /** Null if no answer has a price. */
  readonly costUsd: readonly number[] | null;
}

/** What a scan keeps of one run, as plain data: workers send it to the main thread, and the cache stores it. */
export interface RunRecord {
  /** The reader of the transcript, and the agent that the transcript names. */
  readonly agent: string;
  readonly namedAgent: string | null;
  readonly run: string;
  /** For a subagent's run, the name of the run that started it. */
  readonly parent: string | null;
  /** The full path, so that runs can be selected by it. Reports show only the base name. */
  readonly project: string | null;
  /** The name if it looks like a model's identifier. */
  readonly model: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly calls: number;
  readonly tokens: Amount | null;
  readonly costUsd: Amount | null;
  readonly costFrom: CostFrom | null;
  /** All loops together, without the possible ones. Each answer counts once. */
  readonly afterOnset: AfterOnset;
  readonly loops: readonly LoopRecord[];
  /** None if the run is in part a copy of another: they cannot be shared out. */
  readonly repeated: readonly Omit<RepeatedCall, "session">[];
  /** Null if no answer has an id. */
  readonly answers: AnswerRecord | null;
  /** Events without a type. */
  readonly badEvents: number;
  /** Internal errors of the guard. */
  readonly faults: number;
}

/** The steps of a run that are worth showing. */
export interface StepRecord {
  readonly total: number;
  readonly steps: readonly ReportStep[];
}

/** What a scan keeps of one file. */
export interface FileRecord {
  /** The agent that wrote the file. Null if no reader recognises it. */
  readonly agent: string | null;
  /** Whether an agent wrote the file in a format that is no longer read. */
  readonly isOld?: boolean | undefined;
  readonly runs: readonly RunRecord[];
  /** The steps of runs with loops, by index in `runs`. */
  readonly steps: Readonly<Record<number, StepRecord>>;
  readonly skippedLines: number;
  /** Of those, the ones that are too long. */
  readonly longLines: number;
  /** Why the file could not be read to its end, or null. */
  readonly fault: string | null;
}

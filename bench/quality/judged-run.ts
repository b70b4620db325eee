import type { ReplayedDecision } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { Acts } from "./acts.ts";
import type { Expectation } from "./everyday/expectation.ts";
import type { Probes } from "./probe-run.ts";
import type { SourceKind } from "./replay-order.ts";

/** Our own name in the tables. */
export const OURS = "doomloop";

/** A run as the detectors saw it. */
export interface JudgedRun extends Acts, Probes {
  readonly run: string;
  readonly task: string | undefined;
  readonly isSuccess: boolean;
  readonly calls: number;
  readonly hasResults: boolean;
  /** The calls at which each detector spoke, in order, by the detector's name; ours is the first. */
  readonly spokeAt: Readonly<Record<string, readonly number[]>>;
  /** What our guard said, in order. */
  readonly decisions: readonly Pick<ReplayedDecision, "call" | "action" | "kind">[];
  /** Of an everyday run. */
  readonly expectation?: Expectation;
  /** Events that are none. */
  readonly badEvents: number;
  /** Faults inside the guard. */
  readonly faults: number;
}

export interface JudgedSource {
  readonly kind: SourceKind;
  readonly source: string;
  readonly runs: readonly JudgedRun[];
  /** Lines and events that could not be read. */
  readonly skipped: number;
  /** Faults inside the guard. */
  readonly faults: number;
}

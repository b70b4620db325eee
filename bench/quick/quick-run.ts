import type { ReplayedDecision } from "../../packages/doomloop/src/scan/replay/replay-run.ts";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";
import type { Acts } from "../quality/acts.ts";
import type { Expectation } from "../quality/everyday/expectation.ts";
import type { Half } from "../quality/halves.ts";
import { seedOf } from "../quality/random.ts";
import type { SourceKind } from "../quality/replay-order.ts";
import type { VariantName } from "../quality/variants/variants.ts";

/** What to take from a trace file. */
export interface QuickOrder {
  readonly path: string;
  readonly kind: SourceKind;
  /** Runs to take because a window of theirs was judged. */
  readonly labelled: readonly string[];
  /** Of successes, and of real sessions, one in so many is taken. */
  readonly oneIn: number;
  /** The runs as another host would have told them. */
  readonly variant?: VariantName;
}

/** A run, and what the guard said in it. */
export interface QuickRun extends Acts {
  readonly kind: SourceKind;
  /** The file's name. */
  readonly source: string;
  readonly run: string;
  readonly half: Half;
  readonly expectation?: Expectation;
  /** A success, or a real session, that belongs to the sample. */
  readonly isSampled: boolean;
  readonly hasResults: boolean;
  readonly words: readonly Pick<ReplayedDecision, "call" | "action" | "kind">[];
}

/** What a thread has to say of a file. */
export interface QuickSource {
  readonly runs: readonly QuickRun[];
  readonly events: number;
  readonly guardMs: number;
  readonly faults: number;
}

/** Whether a run belongs to the sample. */
export function isDrawn(run: string, oneIn: number): boolean {
  return (seedOf(run) >>> 7) % oneIn === 0;
}

/** What a line says of its run, without reading the events, which come last: most lines are not needed. */
export function headOf(line: string): Omit<TraceRun, "events"> | undefined {
  const end = line.search(/, ?"events": ?\[/);
  if (end === -1) return undefined;
  return JSON.parse(`${line.slice(0, end)}}`) as Omit<TraceRun, "events">;
}

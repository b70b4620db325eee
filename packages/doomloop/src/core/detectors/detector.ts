import type { FindingFacts } from "../finding.ts";
import type { Moved } from "../memory/run.ts";
import type { RunState } from "../memory/run-state.ts";

/** One way of going in circles. Reads the run's memory, never changes it, never decides. */
export interface Detector<Found extends FindingFacts & { readonly kind: string }> {
  readonly kind: Found["kind"];
  /** What it looks at: judged steps, answers in words, or streamed text. */
  readonly on: "step" | "answer" | "stream";
  inspect(run: RunState, moved: Moved): Found | undefined;
}

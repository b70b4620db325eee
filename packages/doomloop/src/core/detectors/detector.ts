import type { FindingFacts } from "../finding.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Moved } from "../moved.ts";
import type { JudgedStep } from "../step.ts";

/** What detectors look at: judged steps, answers in words, or streamed text. */
export interface Sights {
  readonly step: JudgedStep;
  readonly answer: Extract<Moved, { kind: "answer" }>;
  readonly stream: Extract<Moved, { kind: "stream" }>;
}

/** One way of going in circles. Reads what the run remembers and never changes it, never decides. */
export interface Detector<
  Found extends FindingFacts & { readonly kind: string },
  On extends keyof Sights = keyof Sights,
> {
  readonly kind: Found["kind"];
  readonly on: On;
  inspect(sight: Sights[On], run: RunState): Found | undefined;
}

/** What a detector remembers of a run besides what all share: plain data, made when it is first asked for. */
export function memoryOf<Memory>(run: RunState, kind: string, begin: () => Memory): Memory {
  run.memories[kind] ??= begin();
  return run.memories[kind] as Memory;
}

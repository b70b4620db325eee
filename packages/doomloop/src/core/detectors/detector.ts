import type { EventEffect } from "../event-effect.ts";
import type { FindingFacts } from "../finding.ts";
import { digestOfAll, digestToHex } from "../identity/digest.ts";
import type { RunState } from "../memory/run-state.ts";
import type { JudgedStep } from "../step.ts";
import { BLIND_AFTER } from "./limits.ts";

/** What detectors look at: judged steps, answers in words, or streamed text. */
export interface Sights {
  readonly step: JudgedStep;
  readonly answer: Extract<EventEffect, { kind: "answer" }>;
  readonly stream: Extract<EventEffect, { kind: "stream" }>;
}

/** One way of going in circles. It reads what the run remembers, changes only its own memory, and never decides. */
export interface Detector<
  Found extends FindingFacts & { readonly kind: string },
  On extends keyof Sights = keyof Sights,
> {
  readonly kind: Found["kind"];
  readonly on: On;
  inspect(sight: Sights[On], run: RunState): Found | undefined;
}

/** What a detector remembers of a run besides what all detectors share: plain data, created on first use. */
export function memoryOf<Memory>(run: RunState, kind: string, begin: () => Memory): Memory {
  run.memories[kind] ??= begin();
  return run.memories[kind] as Memory;
}

/** Whether it is too early to take a run without results so far for one that shows none. */
export function isTooEarlyToCallBlind({ blindness, step }: JudgedStep): boolean {
  return blindness === "inferred" && step.index < BLIND_AFTER - 1;
}

/** The identity of a loop, made from what tells it from every other loop. */
export function loopIdentity(...parts: readonly string[]): string {
  return digestToHex(digestOfAll(...parts));
}

/** How alike two outcomes are, strongest first. `blind`: outcomes were not compared, or there were none. */
export type OutcomeStrength = "exact" | "masked" | "similar" | "blind";

/** What every finding tells, whatever its kind. */
export interface FindingFacts {
  /** Which loop this is: 32 hexadecimal digits, the same for every rotation of a cycle, in every run. */
  readonly loop: string;
  /** Call indices (0-based) of steps that show it, oldest first; not always all of them. */
  readonly steps: readonly number[];
  /** How often the counted thing happened. */
  readonly count: number;
  /** How surely this is a loop, 0 to 1: of findings at 0.9, about nine in ten were right on recorded runs. */
  readonly confidence: number;
  /** The loop certainly makes no progress. By default, only such a loop is blocked or stopped; all others only get nudges. */
  readonly isCertain: boolean;
  /** Tools involved, at most 8. Written by someone else: escape before showing. */
  readonly tools: readonly string[];
}

/** A dead end of the fleet. By itself it never leads to more than a nudge. */
export interface FleetFinding extends FindingFacts {
  readonly kind: "fleet";
  readonly evidence: { readonly workers: number; readonly windowMs: number };
}

import type { Finding } from "./finding.ts";

/**
 * Why a second opinion is asked for. `confirm`: before the first words about something doubtful · `hunch`: outcomes repeat, but not enough for
 * words · `patrol`: the run is long and monotonous, and nothing was asked for a while.
 */
export type QuestionReason = "confirm" | "hunch" | "patrol";

/** Asks whether the agent is stuck. Whoever can tell answers with an `opinion` event; if nobody does, the rules decide alone. */
export interface Question {
  /** Counts up in the run. */
  readonly id: number;
  readonly why: QuestionReason;
  /** Call indices (0-based) of the first and the latest call that it is about. */
  readonly since: number;
  readonly latest: number;
  /** An answer is of use until this round is over. */
  readonly until: number;
  /** With `confirm`: what the agent would be told. */
  readonly finding?: Finding;
}

/** What a second opinion says. */
export type OpinionVerdict = (typeof OPINION_VERDICTS)[number];

export const OPINION_VERDICTS = ["stuck", "working", "unsure"] as const;

/** As many questions as hosts ask in a run by default. */
export const MOST_QUESTIONS = 12;

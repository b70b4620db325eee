import type { Finding } from "./finding.ts";

/** What can be done about a loop, mildest first. */
export type Rung = "nudge" | "block" | "restart" | "stop";

/** How strongly a message is worded. After the `last` one, the guard acts. */
export type Tone = "notice" | "warning" | "last";

/** How long something has gone on: calls, and milliseconds where there is a clock. */
export interface Lasting {
  readonly calls: number;
  readonly ms: number | undefined;
}

/** What is done about a loop, and how it is said. */
export interface Answer {
  readonly rung: Rung;
  readonly tone: Tone;
  /** What follows if the loop goes on; undefined if nothing more does. */
  readonly next: Rung | undefined;
  /** How long the loop has gone on since the first words about it. */
  readonly lasting?: Lasting;
  /** How often the agent was told of it before, and went on. */
  readonly ignored?: number;
  /** How many calls of the loop did not run so far, in a row, this one included. */
  readonly refused?: number;
}

/** A finding with what is done about it; without an answer if nothing is due. */
export interface Verdict {
  readonly finding: Finding;
  readonly answer: Answer | undefined;
}

/** Answers that rest on no level: a finding of the fleet is told once, a call that must not happen twice is refused. */
export const FIRST_WORD: Answer = { rung: "nudge", tone: "notice", next: undefined };
export const LAST_WORD: Answer = { rung: "block", tone: "last", next: undefined };
export const THE_END: Answer = { rung: "stop", tone: "last", next: undefined };

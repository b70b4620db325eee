import type { FindingFacts } from "../finding.ts";

/** The words for one kind of finding. A sentence counts nothing and decides nothing. */
export interface Sentence<Found extends FindingFacts> {
  /** What happened, in one sentence. */
  says(finding: Found): string;
  /** What to do instead, most useful first. */
  advises(finding: Found): readonly string[];
  /** What happened, for an agent that goes on after the first words. */
  insists(finding: Found): string;
  /** What to leave, and then what to do, for an agent that goes on after the first words. */
  corrects(finding: Found): readonly [leave: string, ...steps: string[]];
  /** Completes "If you": what the guard will refuse, or end the run for. It says "keep", because a guard may give an agent some more calls. Missing for text, which cannot be refused. */
  goesOn?(finding: Found): string;
  /** The agent may be waiting: it is told how to wait better, and nothing else. */
  isWaiting?(finding: Found): boolean;
  /** A refused call may be made again after a pause, because the agent may be waiting for something. */
  mayWait?(finding: Found): boolean;
  /** The call did something that must not be done again in another way. */
  isDone?(finding: Found): boolean;
}

const IDENTIFIER = /^[A-Za-z][\w.-]{0,63}$/;

/**
 * A tool's name for a message, if it looks like an identifier. Names are foreign text, and a message is read as ours.
 */
export function toolName(tool: string | undefined): string {
  return tool !== undefined && IDENTIFIER.test(tool) ? `\`${tool}\`` : "one tool";
}

/** "1 time", "3 times". */
export function times(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}

/** "12 seconds", "1 minute": rounded, for people and models. */
export function spanOf(spanMs: number): string {
  const seconds = Math.max(1, Math.round(spanMs / 1000));
  if (seconds < 60) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.round(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** The last step, for an agent that has no other. */
export const TELL_WHY = "If you cannot go on, stop and explain what blocks you.";

/** Steps for calls that keep failing. */
export const fixTheCause = (leave: string) =>
  [leave, "Find out what causes the error, and fix that.", "If you cannot, tell the user what fails."] as const;

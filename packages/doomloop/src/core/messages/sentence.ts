import type { FindingFacts } from "../finding.ts";

/** The words for one kind of finding. A sentence counts nothing and decides nothing. */
export interface Sentence<Found extends FindingFacts> {
  /** What happened, in one sentence. */
  says(finding: Found): string;
  /** What to do instead, most useful first. */
  advises(finding: Found): readonly string[];
  /** What happened, for an agent that continues after the first words. */
  insists(finding: Found): string;
  /** The agent may be waiting: it is told how to wait better, and nothing else. */
  isWaiting?(finding: Found): boolean;
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

/** How to wait, for an agent that may be waiting. */
export const WAIT_ONCE = [
  "Wait 30 seconds or more before you call again (in a shell: `sleep 30`).",
  "Meanwhile, do work that does not need it.",
  "If nothing changes, or you are not waiting, stop and say so.",
] as const;

import type { FindingFacts } from "../finding.ts";

/** The words for one kind of finding. A sentence counts nothing and decides nothing. */
export interface Sentence<Found extends FindingFacts> {
  /** What happened, in a sentence about "you" that also tells a person about "the agent". */
  says(finding: Found): string;
  /** What happened, for the agent: a clause in few words, without a full stop. */
  fact(finding: Found): string;
  /** The next step, for an agent that hears of it for the first time. */
  advises(finding: Found): string;
  /** The next step, for an agent that was told before, or whose call was refused. */
  corrects(finding: Found): string;
  /** What leads to the next level, as the beginning of a sentence. "More of the same" unless it says otherwise. */
  readonly again?: string;
  /** Says in the last warning that calls will be refused. */
  readonly warns?: string;
  /** Whether calls of this kind can be refused. Words cannot. */
  readonly isTalk?: true;
  /** The agent may be waiting: it is told how to wait better, and nothing else. */
  isWaiting?(finding: Found): boolean;
  /** It is done, so that there is no other way to do it. */
  isDone?(finding: Found): boolean;
}

const IDENTIFIER = /^[A-Za-z][\w.-]{0,63}$/;

/**
 * A tool's name for a message, if it looks like an identifier. Names are foreign text, and a message is read as ours.
 */
export function toolName(tool: string | undefined): string {
  return tool !== undefined && IDENTIFIER.test(tool) ? `\`${tool}\`` : "one tool";
}

/** "this exact `read_file` call", or without the name if it does not look like one. */
export function exactCall(tool: string | undefined): string {
  return tool !== undefined && IDENTIFIER.test(tool) ? `this exact \`${tool}\` call` : "this exact call";
}

/** "`search` calls", or just "calls". */
export function callsOf(tool: string | undefined): string {
  return tool !== undefined && IDENTIFIER.test(tool) ? `\`${tool}\` calls` : "calls";
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

/** For calls that may be checks of something that takes its time. */
export const PAUSE_BETWEEN =
  "If you are waiting, do other work, or pause 30 seconds (in a shell: `sleep 30`). If you can't, report how it stands.";
/** For something that is busy. */
export const PAUSE_BEFORE =
  "Read the error. If it's temporary, do other work or pause 30 seconds, then try once. If not, fix its cause, or report it.";

/** Steps for calls that keep failing. */
export const FIX_THE_CAUSE = "Fix the cause, try another way, or report the error.";

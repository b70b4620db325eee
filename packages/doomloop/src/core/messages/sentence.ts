import type { FindingFacts } from "../finding.ts";

/** The words for one kind of finding. Facts in, words out: a sentence counts nothing and decides nothing. */
export interface Sentence<Found extends FindingFacts> {
  /** What happened, in one sentence. */
  says(finding: Found): string;
  /** What to do instead, most useful first. */
  advises(finding: Found): readonly string[];
  /** What happened, told anew to an agent that the first words did not help. */
  insists(finding: Found): string;
  /** Where the advice of the second time is not the usual one. */
  insistsOn?(finding: Found): readonly string[] | undefined;
}

const IDENTIFIER = /^[A-Za-z][\w.-]{0,63}$/;

/**
 * A tool's name as it may stand in a message: only if it looks like an identifier. Names are foreign, and a message is
 * read as ours.
 */
export function toolName(tool: string | undefined): string {
  return tool !== undefined && IDENTIFIER.test(tool) ? `\`${tool}\`` : "one tool";
}

/** The tools of a finding as a list: "`a`, `b` and `c`". */
export function toolNames(tools: readonly string[]): string {
  const names = [...new Set(tools.map(toolName))].slice(0, 5);
  if (names.length === 0) return "the same tools";
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** "1 time", "3 times". */
export function times(count: number): string {
  return count === 1 ? "1 time" : `${count} times`;
}

/** "1 call above", "3 calls above": how far back the agent finds what it had before. */
export function callsAbove(steps: readonly number[]): string {
  const [before = 0, latest = before + 1] = steps.slice(-2);
  const calls = Math.max(1, latest - before);
  return calls === 1 ? "1 call above" : `${calls} calls above`;
}

export const WAIT_ONCE = [
  "Make one blocking wait that is long enough, instead of asking again and again.",
  "Do other work that does not depend on it, and come back later.",
  "If nothing moves at all, find out why it hangs, or report that it does.",
] as const;

import { digestOf } from "../../core/identity/digest.ts";
import { isAnswered } from "./answers.ts";
import { marksOf } from "./marks.ts";
import type { Entry } from "./read-items.ts";

/** How far a list was read, for the process that goes on with it. Plain data, without any of its text. */
export interface SeenList {
  readonly length: number;
  readonly digest: string;
  /** Whether it ended with an answer that asks for nothing. */
  readonly isAnswered: boolean;
}

/** Notes how far a list was read. */
export function seenListOf(entries: readonly Entry[]): SeenList {
  return { length: entries.length, digest: digestOfList(entries), isAnswered: isAnswered(entries) };
}

/**
 * How much of a list another process has read. A list without an answer of the model holds only what is new. Undefined where nothing is
 * left of what was read: the list was compacted, or another conversation begins.
 */
export function countSeen(entries: readonly Entry[], { length, digest }: SeenList): number | undefined {
  if (length <= entries.length && digestOfList(entries.slice(0, length)) === digest) return length;
  return entries.some(({ isModel }) => isModel) ? undefined : 0;
}

/** A list is known by who wrote what in it, and by its ids. */
function digestOfList(entries: readonly Entry[]): string {
  const keys = marksOf(entries).map(({ at, key }) => `${at} ${key}`);
  const writers = entries.map(({ isModel }) => (isModel ? "m" : "h")).join("");
  return digestOf([writers, ...keys].join("\n"));
}

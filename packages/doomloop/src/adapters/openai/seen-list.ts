import { type Digest, digestOf } from "../../core/identity/digest.ts";
import { isAnswered } from "./answers.ts";
import type { Entry, Part } from "./items.ts";

/** How far a list was read, for the process that resumes it. Plain data without any text of the list. */
export interface SeenList {
  readonly length: number;
  readonly digest: string;
  /** Whether it ended with an answer without calls or questions. */
  readonly isAnswered: boolean;
}

/** Records how far a list was read. */
export function seenListOf(entries: readonly Entry[]): SeenList {
  return { length: entries.length, digest: digestOfList(entries), isAnswered: isAnswered(entries) };
}

/**
 * How many entries of a list another process has read. A list without an answer of the model contains only new items. Undefined if nothing
 * is left of what was read, because the list was compacted or another conversation begins.
 */
export function countSeen(entries: readonly Entry[], { length, digest }: SeenList): number | undefined {
  if (length <= entries.length && digestOfList(entries.slice(0, length)) === digest) return length;
  return entries.some(({ isModel }) => isModel) ? undefined : 0;
}

/** Identifies a list by its ids and by who wrote which entry. */
function digestOfList(entries: readonly Entry[]): string {
  const keys = marksOf(entries).map(({ at, key }) => `${at} ${key}`);
  const writers = entries.map(({ isModel }) => (isModel ? "m" : "h")).join("");
  return digestOf([writers, ...keys].join("\n"));
}

/** A part with an id. Servers may use one id for many parts, so it says little by itself. */
export interface Mark {
  readonly part: Part;
  /** The entry that the part belongs to. */
  readonly at: number;
  readonly id: string;
  /** The type and the id of the part. */
  readonly key: string;
}

/** The marks of a list, in its order. */
export function marksOf(entries: readonly Entry[]): Mark[] {
  return entries.flatMap(({ parts }, at) => parts.flatMap((part) => markOf(part, at)));
}

function markOf(part: Part, at: number): Mark[] {
  const id = idOf(part);
  if (id === undefined) return [];
  return [{ part, at, id, key: `${part.type} ${id}` }];
}

function idOf(part: Part): string | undefined {
  if (part.type === "user" || part.type === "question" || part.type === "reasoning") return undefined;
  return part.type === "text" ? part.key : part.id;
}

export function digestOfOutput(output: unknown): Digest {
  return digestOf(JSON.stringify(output) ?? "");
}

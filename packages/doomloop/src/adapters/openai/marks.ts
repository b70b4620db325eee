import type { Entry, Part } from "./read-items.ts";

/** A part of a list that has an id. Servers may give one id to many: by itself it tells little. */
export interface Mark {
  readonly part: Part;
  /** The entry that the part belongs to. */
  readonly at: number;
  readonly id: string;
  /** What kind of part with what id. */
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

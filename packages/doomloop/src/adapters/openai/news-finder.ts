import { isStartOfAnswer } from "./answers.ts";
import { type BoundedMap, createBoundedMap } from "./bounded-map.ts";
import type { Entry, Part } from "./read-items.ts";

/** What is new in a list, compared with those before it. */
interface News {
  /** The index of the first entry that was not there before. */
  readonly start: number;
  /** Calls that were there are gone: somebody compacted the list, or took something back. */
  readonly isCompacted: boolean;
}

/** Tells what is new in each list of a conversation. Lists may be added to, copied, compacted, or hold only what is new. */
export interface NewsFinder {
  find(entries: readonly Entry[]): News;
  /** All entries of this list have been read. */
  noteAll(entries: readonly Entry[]): void;
}

/**
 * Calls, results and items are known by their ids. Messages without one are told by their place behind the last entry with a
 * known id.
 */
export function createNewsFinder(): NewsFinder {
  const known: BoundedMap<true> = createBoundedMap();
  let anchor: string | undefined;
  let tail: readonly string[] = [];
  let present: readonly string[] = [];
  let isWhole = false;

  const lastKnown = (entries: readonly Entry[]): number =>
    entries.findLastIndex(({ parts }) => parts.some((part) => known.has(keyOf(part) ?? "")));

  /** A result of a call that only an earlier list had: this one holds no more than what is new. */
  const hasLooseResult = (entries: readonly Entry[], keys: ReadonlySet<string>): boolean =>
    entries.some(({ parts }) =>
      parts.some((part) => isResult(part) && !keys.has(`call ${part.id}`) && known.has(`call ${part.id}`)),
    );

  return {
    find(entries) {
      const keys = new Set(entries.flatMap(keysOf));
      const isCompacted = isWhole && !hasLooseResult(entries, keys) && present.some((key) => !keys.has(key));
      const at = lastKnown(entries);
      const found = at < 0 ? undefined : keysOf(entries[at]!).at(-1);
      if (found === anchor) return { start: at + 1 + sameLength(entries.slice(at + 1).map(signOf), tail), isCompacted };
      // Nothing may be left of what was there. A caller that sends only what is new always does that; otherwise it was compacted,
      // and its answered calls, if it has any, are old ones with new ids.
      if (at < 0 && isCompacted) return { start: startOfOpenAnswer(entries), isCompacted };
      return { start: at + 1, isCompacted };
    },
    noteAll(entries) {
      const keys = entries.flatMap(keysOf);
      for (const key of keys) known.set(key, true);
      const at = lastKnown(entries);
      anchor = at < 0 ? undefined : keysOf(entries[at]!).at(-1);
      tail = entries.slice(at + 1).map(signOf);
      present = keys.filter((key) => key.startsWith("call "));
      isWhole ||= present.length > 0 && entries.some(({ isModel, parts }) => !isModel && !parts.some(isResult));
    },
  };
}

/** Where the model's latest answer begins, if nothing has answered it yet; otherwise the end. */
function startOfOpenAnswer(entries: readonly Entry[]): number {
  if (entries.at(-1)?.isModel !== true) return entries.length;
  return entries.findLastIndex((_, at) => isStartOfAnswer(entries, at));
}

/** What a message without an id is known by, behind the last entry that has one. */
function signOf({ isModel, parts }: Entry): string {
  const texts = parts.map((part) =>
    "text" in part ? `${part.type} ${part.text.length} ${part.text.slice(0, 100)}` : "",
  );
  return `${isModel} ${texts.join()}`;
}

/** How many entries two lists have in common from their beginning. */
function sameLength(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((sign, at) => sign !== right[at]);
  return end < 0 ? left.length : end;
}

function keysOf({ parts }: Entry): string[] {
  return parts.map(keyOf).filter((key) => key !== undefined);
}

function keyOf(part: Part): string | undefined {
  if (part.type === "call" || part.type === "result" || part.type === "past" || part.type === "compaction") {
    return `${part.type} ${part.id}`;
  }
  return part.type === "text" && part.key !== undefined ? `text ${part.key}` : undefined;
}

function isResult(part: Part): part is Extract<Part, { type: "result" }> {
  return part.type === "result";
}

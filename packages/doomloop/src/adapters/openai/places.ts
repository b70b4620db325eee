import { align } from "./align.ts";
import { isStartOfAnswer, openCallsOf } from "./answers.ts";
import { createBoundedMap } from "./bounded-map.ts";
import { type Mark, marksOf } from "./marks.ts";
import type { Entry, Part } from "./read-items.ts";

/** What a list is, compared with those before it. */
export interface News {
  /** The index of the first entry that was not there before. */
  readonly start: number;
  /** Calls that were there are gone: somebody compacted the list, or took something back. */
  readonly isCompacted: boolean;
  /** Nothing is left of what was there: it was summed up, or another conversation begins. */
  readonly isAnew: boolean;
}

/** Tells what is new in each list of a conversation. Lists may be added to, copied, compacted, or hold only what is new. */
export interface Places {
  find(entries: readonly Entry[]): News;
  /** All entries of this list have been read. */
  noteAll(entries: readonly Entry[]): void;
  /** A part's place in the conversation, once it was noted: the same in each list that has it, whatever else has its id. */
  of(part: Part): number | undefined;
}

interface Seen {
  readonly key: string;
  readonly place: number;
}

const MAX_SEEN = 4000;

/**
 * A list is laid beside the one before it. What they have in common is old; of the rest, what has an id that was there earlier and
 * stands for one thing only. Messages without an id are told by their place behind the last entry with an old one.
 */
export function createPlaces(): Places {
  const known = createBoundedMap<string, number>();
  const answered = createBoundedMap<string, boolean>();
  let seen: readonly Seen[] = [];
  /** How much of the last list is not kept. */
  let skipped = 0;
  let tail: readonly string[] = [];
  let isWhole = false;
  let places = new Map<Part, number>();
  let made = 0;

  /** How many of the marks are old ones. Those get their places. */
  const countOld = (marks: readonly Mark[], open: ReadonlySet<Part>): number => {
    const laid = layBeside(marks, skipped) || layBeside(marks, 0);
    // A list of equal calls that ends with one that waits, where none did, was not cut at its end but at its beginning.
    const isCut = laid === marks.length && laid < seen.length && marks.some(({ part }) => isFirst(part));
    const repeated = countBy(seen);
    const isAnother = ({ part, id, key }: Mark): boolean =>
      open.has(part) && answered.get(id) === true && repeated.get(key)! > 1;
    const another = isCut ? marks.findIndex(isAnother) : -1;
    const aligned = another < 0 ? laid : another;
    for (const { part } of marks.slice(aligned)) places.delete(part);
    const counts = countBy(marks);
    const isKnown = ({ key }: Mark): boolean => counts.get(key) === 1 && known.has(key);
    const last = marks.findLastIndex((mark, at) => at >= aligned && isKnown(mark) && !isAgain(mark, marks, at));
    const rest = marks.slice(aligned, last + 1);
    for (const mark of rest) if (isKnown(mark)) places.set(mark.part, known.get(mark.key)!);
    return aligned + rest.length;
  };

  const isFirst = (part: Part): boolean => seen.length > 0 && places.get(part) === seen[0]!.place;

  /** Lays the marks from an index on beside those of the last list. Returns up to where they are the same. */
  const layBeside = (marks: readonly Mark[], first: number): number => {
    const [before, after] = [seen, marks.slice(first)].map((list) => list.map(({ key }) => key));
    const { from, length } = align(before!, after!);
    for (let at = 0; at < length; at++) places.set(marks[first + at]!.part, seen[from + at]!.place);
    return length === 0 ? 0 : first + length;
  };

  /** A call with the id of one that was answered, without an answer, and an answer where a call waits: ids began anew. */
  const isAgain = ({ part, id }: Mark, marks: readonly Mark[], at: number): boolean => {
    if (part.type === "result") return answered.get(id) === false;
    const hasResult = (): boolean => marks.slice(at).some((mark) => mark.id === id && mark.part.type === "result");
    return part.type === "call" && answered.get(id) === true && !hasResult();
  };

  /** A result of a call that only an earlier list had: this one holds no more than what is new. */
  const hasLooseResult = (marks: readonly Mark[]): boolean => {
    const calls = new Set<string>();
    return marks.some(({ part, id }) => {
      if (part.type === "call") calls.add(id);
      return part.type === "result" && answered.has(id) && !calls.has(id);
    });
  };

  const hasLostCalls = (old: readonly Mark[]): boolean => {
    const left = countBy(old);
    return [...countBy(seen)].some(([key, count]) => key.startsWith("call ") && (left.get(key) ?? 0) < count);
  };

  return {
    find(entries) {
      places = new Map();
      const marks = marksOf(entries);
      const old = marks.slice(0, countOld(marks, new Set<Part>(openCallsOf(entries))));
      const isCompacted = isWhole && !hasLooseResult(marks) && hasLostCalls(old);
      const last = old.at(-1);
      const isAnew = isCompacted && last === undefined;
      const start = (last?.at ?? -1) + 1;
      const isEnd = last === undefined ? seen.length === 0 : places.get(last.part) === seen.at(-1)?.place;
      if (isEnd) return { start: start + sameLength(entries.slice(start).map(signOf), tail), isCompacted, isAnew };
      // Nothing may be left of what was there. A caller that sends only what is new always does that; otherwise it was compacted,
      // and its answered calls, if it has any, are old ones with new ids.
      return { start: isAnew ? startOfOpenAnswer(entries) : start, isCompacted, isAnew };
    },
    noteAll(entries) {
      const marks = marksOf(entries);
      for (const { part, key, id } of marks) {
        const place = places.get(part) ?? ++made;
        places.set(part, place);
        known.set(key, place);
        if (part.type === "call" || part.type === "result") answered.set(id, part.type === "result");
      }
      seen = marks.slice(-MAX_SEEN).map(({ part, key }) => ({ key, place: places.get(part)! }));
      skipped = marks.length - seen.length;
      tail = entries.slice((marks.at(-1)?.at ?? -1) + 1).map(signOf);
      isWhole ||=
        marks.some(({ part }) => part.type === "call") &&
        entries.some(({ isModel, parts }) => !isModel && !parts.some(({ type }) => type === "result"));
    },
    of: (part) => places.get(part),
  };
}

/** Where the model's latest answer begins, if nothing has answered it yet; otherwise the end. */
export function startOfOpenAnswer(entries: readonly Entry[]): number {
  if (entries.at(-1)?.isModel !== true) return entries.length;
  return entries.findLastIndex((_, at) => isStartOfAnswer(entries, at));
}

/** What a message without an id is known by, behind the last entry that has one. Thoughts are not sent back to every server. */
function signOf({ isModel, parts }: Entry): string {
  const said = parts.filter(({ type }) => type !== "reasoning");
  const texts = said.map((part) =>
    "text" in part ? `${part.type} ${part.text.length} ${part.text.slice(0, 100)}` : "",
  );
  return `${isModel} ${texts.join()}`;
}

/** How many entries two lists have in common from their beginning. */
function sameLength(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((sign, at) => sign !== right[at]);
  return end < 0 ? left.length : end;
}

function countBy(marks: readonly { readonly key: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of marks) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

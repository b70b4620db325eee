import { setRecent } from "../../core/collections/bounded.ts";
import { isStartOfAnswer, openCallsOf } from "./answers.ts";
import type { Entry, Part } from "./items.ts";
import { type Mark, marksOf } from "./seen-list.ts";

/** How a list differs from those before it. */
export interface ListChange {
  /** The index of the first entry that was not there before. */
  readonly start: number;
  /** Whether earlier calls are gone, because the list was compacted or something was taken back. */
  readonly isCompacted: boolean;
  /** Whether nothing known is left, because the list was summarised or another conversation begins. */
  readonly isNew: boolean;
}

/** Finds what is new in each list of a conversation. Lists may grow, be copied, be compacted, or contain only new items. */
interface Places {
  find(entries: readonly Entry[]): ListChange;
  /** All entries of this list have been read. */
  noteAll(entries: readonly Entry[]): void;
  /** A part's place in the conversation, once it was noted. It is the same in each list with the part, even if other parts have its id. */
  of(part: Part): number | undefined;
  /** Forgets the parts of the latest list, which would keep the whole list in memory. {@link of} knows nothing until the next one. */
  release(): void;
}

interface Seen {
  readonly key: string;
  readonly place: number;
}

const MAX_SEEN = 4000;

/**
 * Aligns each list with the one before it. What they have in common is old. Of the rest, a part is old if its id was seen before and
 * is unique. Messages without an id are recognised by their position after the last entry with an old id.
 */
export function createPlaces(): Places {
  const known = new Map<string, number>();
  const answered = new Map<string, boolean>();
  let seen: readonly Seen[] = [];
  /** How many marks of the last list are not kept. */
  let skipped = 0;
  let tail: readonly string[] = [];
  let isWhole = false;
  let places = new Map<Part, number>();
  let made = 0;

  /** Counts the old marks, and gives them their places. */
  const countOld = (marks: readonly Mark[], open: ReadonlySet<Part>): number => {
    const agreed = alignFrom(marks, skipped) || alignFrom(marks, 0);
    // If a list of equal calls now ends with an open one, it was cut at its beginning, not at its end.
    const isCut = agreed === marks.length && agreed < seen.length && marks.some(({ part }) => isFirst(part));
    const repeated = countBy(seen);
    const isAnother = ({ part, id, key }: Mark): boolean =>
      open.has(part) && answered.get(id) === true && repeated.get(key)! > 1;
    const another = isCut ? marks.findIndex(isAnother) : -1;
    const aligned = another < 0 ? agreed : another;
    for (const { part } of marks.slice(aligned)) places.delete(part);
    const counts = countBy(marks);
    const isKnown = ({ key }: Mark): boolean => counts.get(key) === 1 && known.has(key);
    const last = marks.findLastIndex((mark, at) => at >= aligned && isKnown(mark) && !isRepeatedId(mark, marks, at));
    const rest = marks.slice(aligned, last + 1);
    for (const mark of rest) if (isKnown(mark)) places.set(mark.part, known.get(mark.key)!);
    return aligned + rest.length;
  };

  const isFirst = (part: Part): boolean => seen.length > 0 && places.get(part) === seen[0]!.place;

  /** Aligns the marks from an index on with those of the last list. Returns the index up to which they agree. */
  const alignFrom = (marks: readonly Mark[], first: number): number => {
    const [before, after] = [seen, marks.slice(first)].map((list) => list.map(({ key }) => key));
    const { from, length } = align(before!, after!);
    for (let at = 0; at < length; at++) places.set(marks[first + at]!.part, seen[from + at]!.place);
    return length === 0 ? 0 : first + length;
  };

  /** Whether ids repeat: an unanswered call has the id of an answered one, or a result answers an open call. */
  const isRepeatedId = ({ part, id }: Mark, marks: readonly Mark[], at: number): boolean => {
    if (part.type === "result") return answered.get(id) === false;
    const hasResult = (): boolean => marks.slice(at).some((mark) => mark.id === id && mark.part.type === "result");
    return part.type === "call" && answered.get(id) === true && !hasResult();
  };

  /** Whether a result belongs to a call of an earlier list. Then this list contains only new items. */
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
      const isNew = isCompacted && last === undefined;
      const start = (last?.at ?? -1) + 1;
      const isEnd = last === undefined ? seen.length === 0 : places.get(last.part) === seen.at(-1)?.place;
      if (isEnd) return { start: start + sameLength(entries.slice(start).map(signatureOf), tail), isCompacted, isNew };
      // Perhaps nothing known is left. That is normal for a caller that sends only new items. Otherwise the list was compacted,
      // and answered calls in it are old ones with new ids.
      return { start: isNew ? startOfOpenAnswer(entries) : start, isCompacted, isNew };
    },
    noteAll(entries) {
      const marks = marksOf(entries);
      for (const { part, key, id } of marks) {
        const place = places.get(part) ?? ++made;
        places.set(part, place);
        setRecent(known, key, place, MAX_SEEN);
        if (part.type === "call" || part.type === "result") setRecent(answered, id, part.type === "result", MAX_SEEN);
      }
      seen = marks.slice(-MAX_SEEN).map(({ part, key }) => ({ key, place: places.get(part)! }));
      skipped = marks.length - seen.length;
      tail = entries.slice((marks.at(-1)?.at ?? -1) + 1).map(signatureOf);
      isWhole ||=
        marks.some(({ part }) => part.type === "call") &&
        entries.some(({ isModel, parts }) => !isModel && !parts.some(({ type }) => type === "result"));
    },
    of: (part) => places.get(part),
    release() {
      places = new Map();
    },
  };
}

/** Where the model's latest answer begins, if nothing has answered it yet; otherwise the end. */
export function startOfOpenAnswer(entries: readonly Entry[]): number {
  if (entries.at(-1)?.isModel !== true) return entries.length;
  return entries.findLastIndex((_, at) => isStartOfAnswer(entries, at));
}

/** Identifies a message without an id. Reasoning is left out, because not every program sends it back. */
function signatureOf({ isModel, parts }: Entry): string {
  const said = parts.filter(({ type }) => type !== "reasoning");
  const texts = said.map((part) =>
    "text" in part ? `${part.type} ${part.text.length} ${part.text.slice(0, 100)}` : "",
  );
  return `${isModel} ${texts.join()}`;
}

/** How many entries two lists have in common from their beginning. */
function sameLength(left: readonly string[], right: readonly string[]): number {
  const end = left.findIndex((signature, at) => signature !== right[at]);
  return end < 0 ? left.length : end;
}

function countBy(marks: readonly { readonly key: string }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of marks) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** The first `length` elements of a list are those of the list before it, starting at `from`. */
interface Alignment {
  readonly from: number;
  readonly length: number;
}

/**
 * Finds what a list shares with the list before it: all of it, its beginning if something was taken back, or its end if something was
 * cut off. Elements may be equal, so the longest overlap is taken.
 */
export function align(before: readonly string[], after: readonly string[]): Alignment {
  const end = before.findIndex((element, at) => element !== after[at]);
  const common = end < 0 ? before.length : end;
  if (common === before.length || common === after.length) return { from: 0, length: common };
  const length = overlapOf(before, after);
  return length > common ? { from: before.length - length, length } : { from: 0, length: common };
}

/** The longest end of one list that is the beginning of another, in linear time (Knuth, Morris and Pratt). */
function overlapOf(before: readonly string[], after: readonly string[]): number {
  const shorter = [0];
  let length = 0;
  const step = (element: string | undefined): void => {
    while (length > 0 && after[length] !== element) length = shorter[length - 1]!;
    if (after[length] === element) length++;
  };
  for (let at = 1; at < after.length; at++) {
    step(after[at]);
    shorter[at] = length;
  }
  length = 0;
  for (const element of before) {
    if (length === after.length) length = shorter[length - 1]!;
    step(element);
  }
  return length;
}

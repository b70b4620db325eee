import { type ArgumentWords, type Field, fieldsIn, hashOfName, type Word } from "./argument-words.ts";
import { PAGING_FIELDS } from "./fingerprint.ts";

/** Fields of a call that are compared for similarity. */
const MAX_COMPARED_FIELDS = 4;
const PAGING_NAMES: ReadonlySet<number> = new Set([...PAGING_FIELDS].map(hashOfName));

/** How similar two calls of one tool are, from 0 to 1: the mean over all fields of either. */
export function similarityOf(one: ArgumentWords, other: ArgumentWords): number {
  const fields = fieldsIn(one).slice(0, MAX_COMPARED_FIELDS);
  const others = fieldsIn(other).slice(0, MAX_COMPARED_FIELDS);
  if (fields.length === 0 && others.length === 0) return 1;
  let shared = 0;
  let sum = 0;
  for (const field of fields) {
    const match = others.find(({ name }) => name === field.name);
    if (match === undefined) continue;
    shared++;
    sum += fieldSimilarity(field, match);
  }
  return sum / (fields.length + others.length - shared);
}

/** 1 for equal values; else the Dice coefficient: twice what they share over all of both. */
function fieldSimilarity(one: Field, other: Field): number {
  if (one.value === other.value) return 1;
  const { parts } = one;
  const others = other.parts;
  let shared = 0;
  for (let at = 0, place = 0; at < parts.length && place < others.length; ) {
    const difference = parts[at]! - others[place]!;
    if (difference === 0) shared++;
    if (difference <= 0) at++;
    if (difference >= 0) place++;
  }
  return shared === 0 ? 0 : (2 * shared) / (parts.length + others.length);
}

/** Whether one call asks for another part of a whole than the other: another page, another range. */
export function coversNewGround(one: ArgumentWords, other: ArgumentWords): boolean {
  const others = fieldsIn(other);
  return fieldsIn(one).some((field) => PAGING_NAMES.has(field.name) && !others.some((match) => isSame(field, match)));
}

/** Whether two calls have a field with the same value. */
export function sharesValue(one: ArgumentWords, other: ArgumentWords): boolean {
  const others = fieldsIn(other);
  return fieldsIn(one).some((field) => others.some((match) => isSame(field, match)));
}

function isSame(one: Field, other: Field): boolean {
  return one.name === other.name && one.value === other.value;
}

/** Whether two calls differ only in numbers. */
export function differInNumbers(one: ArgumentWords, other: ArgumentWords): boolean {
  const words = wordsIn(one);
  const others = wordsIn(other);
  if (words.length !== others.length) return false;
  const differing = words.filter((word, at) => word.hash !== others[at]!.hash);
  return differing.length > 0 && differing.every(({ hasDigit, stems }) => hasDigit && stems.length === 0);
}

/**
 * How several calls differ. `none`: not at all. `list`: in one place, by something else each time, as the items of a list do. `guesses`: in
 * one place, by the same stems in other forms. `rewording`: in their words around common stems. `unrelated`: altogether.
 */
export type Variation = "none" | "list" | "guesses" | "rewording" | "unrelated";

/** The share of calls that must have a stem for it to count as common. */
const COMMON = 0.75;
/** The share of calls that must name something that another call names in part. */
const NAMED_ALIKE = 0.6;
/** Places in which the items of a list may differ: a name, and a number that goes with it. */
const MAX_PLACES = 2;
/** In a call with more words than this, the words that never vary say how it is made, not what for. */
const MANY_WORDS = 16;
/** A long call of which less than this share varies is the same call in another form. */
const VARYING = 0.4;
/** Words of a call that can be an item of a list. A longer one, such as a patch, is one attempt with other numbers. */
const MOST_ITEM_WORDS = 24;

export function variationOf(calls: readonly ArgumentWords[]): Variation {
  const words = calls.map(wordsIn);
  const places = varyingPlaces(words);
  if (places === undefined) {
    if (words.every((list) => list.length <= MANY_WORDS))
      return commonStems(words.map(stemsIn)).size > 0 ? "rewording" : "unrelated";
    const varying = withoutConstants(words);
    const isMostlySame = varying.every((list, at) => list.length <= VARYING * words[at]!.length);
    return isMostlySame || commonStems(varying.map(stemsIn)).size > 0 ? "rewording" : "unrelated";
  }
  if (places.length === 0) return "none";
  const varying = words.map((list) => places.map((place) => list[place]!));
  const common = commonStems(varying.map(stemsIn));
  if ((common.size > 0 && !areItems(varying, common)) || isSpeltAnew(calls)) return "guesses";
  const areNumbers = varying.every((list) => list.every(({ stems }) => stems.length === 0));
  return (places.length <= MAX_PLACES || areNumbers) && words[0]!.length <= MOST_ITEM_WORDS ? "list" : "rewording";
}

/** Whether most calls name something that another call names in part: they may be guesses, although no stem is common to all. */
export function resembleEachOther(calls: readonly ArgumentWords[]): boolean {
  const words = calls.map(wordsIn);
  const places = varyingPlaces(words) ?? [];
  const stems = words.map((list) => places.flatMap((place) => list[place]!.stems));
  const counts = countCalls(stems);
  const alike = stems.filter((own) => own.some((stem) => counts.get(stem)! > 1));
  return alike.length >= NAMED_ALIKE * calls.length;
}

/** The places at which calls of the same form differ; undefined if their forms differ. */
function varyingPlaces(calls: readonly (readonly Word[])[]): number[] | undefined {
  const [first, ...others] = calls;
  if (first === undefined || others.some((call) => call.length !== first.length)) return undefined;
  return [...first.keys()].filter((place) => others.some((call) => call[place]!.hash !== first[place]!.hash));
}

/** Names with a common part are still items if each has a part of its own: `web-3` and `web-4`, `old_users` and `old_orders`. */
function areItems(calls: readonly (readonly Word[])[], common: ReadonlySet<number>): boolean {
  const own = calls.map((words) => words.flatMap((word) => partsBesides(word, common)).join());
  return new Set(own).size === own.length && !own.includes("");
}

/** What a name says besides the common stems: other stems, or a number. */
function partsBesides({ hash, hasDigit, stems }: Word, common: ReadonlySet<number>): number[] {
  const parts = stems.filter((stem) => !common.has(stem));
  return parts.length === 0 && hasDigit ? [hash] : parts;
}

/** Whether two calls say the same in another spelling, `water25` and `Water25!`. Items of a list never do. */
function isSpeltAnew(calls: readonly ArgumentWords[]): boolean {
  const spellings = new Map<string, string>();
  return calls.map(fieldsIn).some((fields) => {
    const words = fields.map((field) => field.words.map(({ hash }) => hash).join()).join(";");
    const values = fields.map(({ value }) => value).join();
    const known = spellings.get(words);
    spellings.set(words, values);
    return known !== undefined && known !== values;
  });
}

/** The stems that most calls have. */
function commonStems(calls: readonly (readonly number[])[]): ReadonlySet<number> {
  return new Set([...countCalls(calls)].filter(([, count]) => count >= COMMON * calls.length).map(([stem]) => stem));
}

/** How many calls have each stem. */
function countCalls(calls: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const stems of calls) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/** The calls without the words that all of them have. */
function withoutConstants(calls: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  const isConstant = ({ hash }: Word): boolean => calls.every((call) => call.some((word) => word.hash === hash));
  const constant = new Set((calls[0] ?? []).filter(isConstant).map(({ hash }) => hash));
  return calls.map((call) => call.filter(({ hash }) => !constant.has(hash)));
}

function stemsIn(words: readonly Word[]): readonly number[] {
  return words.flatMap(({ stems }) => stems);
}

function wordsIn(call: ArgumentWords): readonly Word[] {
  return fieldsIn(call).flatMap(({ words }) => words);
}

/** At most this share of a text's stems, on average, may be new for texts to be rewordings. */
const HARDLY_NEW = 0.35;
/** Or at least this share of them, on average, must stand in most texts. */
const MUCH_SHARED = 0.34;
const MOST_TEXTS = 0.6;
/** The first texts are always new. */
const INTRODUCTION = 2;

/**
 * Whether calls, oldest first, say one thing in other words. They differ in one field, and most of its texts share a good part of their
 * words, or hardly bring a new one. Texts of one form that differ in one place are the items of a list.
 */
export function areRewordings(calls: readonly ArgumentWords[]): boolean {
  const fields = calls.map(fieldsIn);
  const [first = []] = fields;
  const valuesOf = (name: number): Set<number | undefined> =>
    new Set(fields.map((own) => own.find((field) => field.name === name)?.value));
  const varying = first.filter(({ name }) => valuesOf(name).size > 1);
  if (varying.length !== 1 || fields.some((own) => own.length !== first.length)) return false;
  const texts = fields.map((own) => own.find(({ name }) => name === varying[0]!.name)?.words ?? []);
  if (varyingPlaces(texts) !== undefined) return false;
  const own = withoutFrame(texts);
  // Another number each time, a price or a date, is something new.
  if (newPart(own.map(numbersIn)) > HARDLY_NEW && own.every((words) => numbersIn(words).length > 0)) return false;
  const stems = own.map(stemsIn);
  return sharedPart(stems) >= MUCH_SHARED || newPart(stems) <= HARDLY_NEW;
}

/** The texts without the words that all of them begin or end with. */
function withoutFrame(texts: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  const shortest = Math.min(...texts.map((words) => words.length));
  const isEqualAt = (place: number): boolean =>
    texts.every((words) => words.at(place)?.hash === texts[0]!.at(place)?.hash);
  let start = 0;
  while (start < shortest && isEqualAt(start)) start++;
  let end = 0;
  while (end < shortest - start && isEqualAt(-1 - end)) end++;
  return texts.map((words) => words.slice(start, words.length - end));
}

function numbersIn(words: readonly Word[]): readonly number[] {
  return words.filter(({ hasDigit }) => hasDigit).map(({ hash }) => hash);
}

/** The share of a text's stems, on average, that stand in most texts. */
function sharedPart(texts: readonly (readonly number[])[]): number {
  const counts = countCalls(texts);
  return mean(texts.map((stems) => shareOf(stems, (stem) => counts.get(stem)! >= MOST_TEXTS * texts.length)));
}

/** The share of a later text's stems, on average, that no earlier text has. */
function newPart(texts: readonly (readonly number[])[]): number {
  const said = new Set<number>();
  const parts = texts.map((stems) => {
    const part = stems.length === 0 ? 1 : shareOf(stems, (stem) => !said.has(stem));
    for (const stem of stems) said.add(stem);
    return part;
  });
  return mean(parts.slice(INTRODUCTION));
}

function shareOf(stems: readonly number[], isCounted: (stem: number) => boolean): number {
  return stems.filter(isCounted).length / Math.max(1, stems.length);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

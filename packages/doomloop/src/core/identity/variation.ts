import { type ArgumentWords, fieldsIn, type Word } from "./argument-words.ts";

/**
 * How calls differ: not at all, as items of a list do (one place, each time something else), as guesses at one thing do (one place, the
 * same stems in other forms), as rewordings do, or altogether.
 */
export type Variation = "none" | "list" | "guesses" | "rewording" | "unrelated";

/** The share of calls that must have a stem in common. */
const SHARED = 0.75;
const RESEMBLING = 0.6;
/** Places in which the items of a list may differ: a name, and a number that goes with it. */
const MAX_PLACES = 2;
/** In a call of more words than this, those that never vary say how it is made, not what for. */
const MANY_WORDS = 16;
/** A long call with less than this share of it changed is the same call in another form. */
const VARYING = 0.4;
const MOST_WORDS = 24;

/** How these calls vary. */
export function variationOf(calls: readonly ArgumentWords[]): Variation {
  const words = calls.map(wordsIn);
  const places = varyingPlaces(words);
  if (places === undefined) {
    if (words.every((list) => list.length <= MANY_WORDS))
      return sharedStems(words.map(stemsIn)).size > 0 ? "rewording" : "unrelated";
    const varying = withoutConstants(words);
    const isMostlySame = varying.every((list, at) => list.length <= VARYING * words[at]!.length);
    return isMostlySame || sharedStems(varying.map(stemsIn)).size > 0 ? "rewording" : "unrelated";
  }
  if (places.length === 0) return "none";
  const varying = words.map((list) => places.map((place) => list[place]!));
  const shared = sharedStems(varying.map(stemsIn));
  if ((shared.size > 0 && !areItems(varying, shared)) || isSpeltAnew(calls)) return "guesses";
  const areNumbers = varying.every((list) => list.every(({ stems }) => stems.length === 0));
  // An item is named in a few words, or by numbers; what takes more, such as a patch, is one attempt with other numbers.
  return (places.length <= MAX_PLACES || areNumbers) && words[0]!.length <= MOST_WORDS ? "list" : "rewording";
}

/** Whether most calls name something that resembles what another names: they may be guesses, although no stem is in all of them. */
export function resembleEachOther(calls: readonly ArgumentWords[]): boolean {
  const words = calls.map(wordsIn);
  const places = varyingPlaces(words) ?? [];
  const stems = words.map((list) => places.flatMap((place) => list[place]!.stems));
  const counts = new Map<number, number>();
  for (const own of stems) for (const stem of new Set(own)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const alike = stems.filter((own) => own.some((stem) => counts.get(stem)! > 1));
  return alike.length >= RESEMBLING * calls.length;
}

/** The places at which calls of the same form differ; undefined where they have not the same form. */
function varyingPlaces(calls: readonly (readonly Word[])[]): number[] | undefined {
  const [first, ...others] = calls;
  if (first === undefined || others.some((call) => call.length !== first.length)) return undefined;
  const places: number[] = [];
  for (let place = 0; place < first.length; place++)
    if (others.some((call) => call[place]!.hash !== first[place]!.hash)) places.push(place);
  return places;
}

/** Names with a part in common are items all the same if each has a part of its own: `web-3` and `web-4`, `old_users` and `old_orders`. */
function areItems(calls: readonly (readonly Word[])[], shared: ReadonlySet<number>): boolean {
  const own = calls.map((words) => words.flatMap((word) => partsBesides(word, shared)).join());
  return new Set(own).size === own.length && !own.includes("");
}

/** Whether two calls say the same in another spelling, `water25` and `Water25!`: the items of a list are each something else. */
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

/** What a name says besides: other stems, or a number. `invoice` and `invoices` say nothing besides. */
function partsBesides({ hash, hasDigit, stems }: Word, shared: ReadonlySet<number>): number[] {
  const parts = stems.filter((stem) => !shared.has(stem));
  return parts.length === 0 && hasDigit ? [hash] : parts;
}

/** Stems that most calls have in common. */
function sharedStems(calls: readonly (readonly number[])[]): ReadonlySet<number> {
  const counts = new Map<number, number>();
  for (const stems of calls) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count >= SHARED * calls.length).map(([stem]) => stem));
}

function withoutConstants(calls: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  const everywhere = (calls[0] ?? []).filter(({ hash }) =>
    calls.every((call) => call.some((word) => word.hash === hash)),
  );
  const constant = new Set(everywhere.map(({ hash }) => hash));
  return calls.map((call) => call.filter(({ hash }) => !constant.has(hash)));
}

function stemsIn(words: readonly Word[]): readonly number[] {
  return words.flatMap(({ stems }) => stems);
}

function wordsIn(call: ArgumentWords): readonly Word[] {
  return fieldsIn(call).flatMap(({ words }) => words);
}

/** The share of its stems, on average, that a text may have which no text before it had, or must have in common with most others. */
const HARDLY_NEW = 0.35;
const MUCH_SHARED = 0.34;
const MOST = 0.6;
/** The first texts are new by themselves. */
const INTRODUCTION = 2;

/**
 * Whether texts, one field of each call, oldest first, say one thing in other words: most of them have a good part in common, or hardly say a word
 * that was not said before. Texts of one form, with something else in one place, are the items of a list.
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
  // Another number each time, a price or a date, is news.
  if (newPart(own.map(numbersIn)) > HARDLY_NEW && own.every((words) => numbersIn(words).length > 0)) return false;
  const stems = own.map(stemsIn);
  return sharedPart(stems) >= MUCH_SHARED || newPart(stems) <= HARDLY_NEW;
}

/** Without the words that all begin with, and all end with. */
function withoutFrame(texts: readonly (readonly Word[])[]): readonly (readonly Word[])[] {
  const shortest = Math.min(...texts.map((words) => words.length));
  const isSame = (place: number): boolean =>
    texts.every((words) => words.at(place)?.hash === texts[0]!.at(place)?.hash);
  let start = 0;
  while (start < shortest && isSame(start)) start++;
  let end = 0;
  while (end < shortest - start && isSame(-1 - end)) end++;
  return texts.map((words) => words.slice(start, words.length - end));
}

function numbersIn(words: readonly Word[]): readonly number[] {
  return words.filter(({ hasDigit }) => hasDigit).map(({ hash }) => hash);
}

/** The part of each text, on average, that most texts have. */
function sharedPart(texts: readonly (readonly number[])[]): number {
  const counts = new Map<number, number>();
  for (const stems of texts) for (const stem of new Set(stems)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return mean(texts.map((stems) => partOf(stems, (stem) => counts.get(stem)! >= MOST * texts.length)));
}

/** The part of each later text, on average, that no text before it had. */
function newPart(texts: readonly (readonly number[])[]): number {
  const said = new Set<number>();
  const parts = texts.map((stems) => {
    const part = stems.length === 0 ? 1 : partOf(stems, (stem) => !said.has(stem));
    for (const stem of stems) said.add(stem);
    return part;
  });
  return mean(parts.slice(INTRODUCTION));
}

function partOf(stems: readonly number[], isCounted: (stem: number) => boolean): number {
  return stems.filter(isCounted).length / Math.max(1, stems.length);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

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
  // An item is named in a few words; what takes more, such as a patch, is one attempt with other numbers.
  return places.length <= MAX_PLACES && words[0]!.length <= MOST_WORDS ? "list" : "rewording";
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

import { type ArgumentWords, type Field, fieldsIn, hashOfName } from "./argument-words.ts";
import { PAGING_FIELDS } from "./paging-fields.ts";

/** Fields that are compared. */
const MAX_FIELDS = 4;
const PAGING_NAMES: ReadonlySet<number> = new Set([...PAGING_FIELDS].map(hashOfName));

/** How similar two calls of one tool are, from 0 to 1: the mean over all fields of either. */
export function similarityOf(one: ArgumentWords, other: ArgumentWords): number {
  const fields = fieldsIn(one).slice(0, MAX_FIELDS);
  const others = fieldsIn(other).slice(0, MAX_FIELDS);
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

/** Whether two calls differ in which part of a whole they ask for: another page, another range. */
export function coversNewGround(one: ArgumentWords, other: ArgumentWords): boolean {
  const others = fieldsIn(other);
  return fieldsIn(one).some((field) => PAGING_NAMES.has(field.name) && !others.some((match) => isSame(field, match)));
}

/** Whether two calls have a field with the same value. */
export function sharesValue(one: ArgumentWords, other: ArgumentWords): boolean {
  const others = fieldsIn(other);
  return fieldsIn(one).some((field) => others.some((match) => isSame(field, match)));
}

/** Whether two calls differ in nothing but numbers. */
export function differInNumbers(one: ArgumentWords, other: ArgumentWords): boolean {
  const words = fieldsIn(one).flatMap((field) => field.words);
  const others = fieldsIn(other).flatMap((field) => field.words);
  if (words.length !== others.length) return false;
  const differing = words.filter((word, at) => word.hash !== others[at]!.hash);
  return differing.length > 0 && differing.every(({ hasDigit, stems }) => hasDigit && stems.length === 0);
}

function isSame(one: Field, other: Field): boolean {
  return one.name === other.name && one.value === other.value;
}

/** 1 for equal values; else twice what they share over all of both (Dice). */
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

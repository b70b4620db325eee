import { ABOUT_ONE, NEARLY, SHORT } from "./numbers.ts";
import type { Call, Step } from "./step.ts";

/** Items of a list have at most so many words of their own; what comes again in more than this part of them is no item's own. */
const ITEM_WORDS = 4;
const REUSED = 0.6;
/** The latest items are looked at. */
const LISTED = 8;

/** How alike two calls are by their words, 0 to 1. */
export function likeness(one: readonly number[], other: readonly number[]): number {
  // Calls without words, such as reads of `a.ts` and `b.ts`, are not alike because of that.
  if (one.length + other.length === 0) return 0;
  let shared = 0;
  for (const word of one) if (other.includes(word)) shared++;
  return (2 * shared) / (one.length + other.length);
}

/** Whether two calls of a tool are the same but for a word. Other files are another matter, however they are named. */
export function isNearly(one: Call, other: Call): boolean {
  if (one.tool !== other.tool || one.words.length === 0 || one.subject !== other.subject) return false;
  return likeness(one.words, other.words) >= NEARLY;
}

/** How many model answers some steps span. */
export function roundsOf(row: readonly Call[]): number {
  let rounds = 0;
  for (const [at, { round }] of row.entries()) if (row[at - 1]?.round !== round) rounds++;
  return rounds;
}

export function callsOf(row: readonly Call[]): number {
  return new Set(row.map(({ call }) => call)).size;
}

/** Whether two calls are about one thing. */
export function isAbout(one: Call, other: Call): boolean {
  return one.shape === other.shape || likeness(one.words, other.words) >= ABOUT_ONE;
}

/** Whether each call is about what the one before it was about, on average. */
export function areAlike(row: readonly Call[]): boolean {
  let sum = 0;
  for (let at = 1; at < row.length; at++)
    sum += row[at]!.shape === row[at - 1]!.shape ? 1 : likeness(row[at]!.words, row[at - 1]!.words);
  return sum >= ABOUT_ONE * Math.max(1, row.length - 1);
}

/** Whether different calls are the items of a list: they share their words but for one place, which is new each time. */
export function isList(row: readonly Call[]): boolean {
  const last = row.slice(-LISTED);
  if (callsOf(last) < last.length) return false;
  const counts = new Map<number, number>();
  for (const { words } of last) for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  if (new Set(last.map(({ words }) => words.length)).size > 2) return false;
  let again = 0;
  for (const { words } of last) {
    const own = [...new Set(words)].filter((word) => counts.get(word)! < NEARLY * last.length);
    if (own.length === 0 || own.length > ITEM_WORDS) return false;
    if (own.some((word) => counts.get(word)! > 1)) again++;
  }
  return again < REUSED * last.length;
}

/** Whether most of some calls ask for what nobody has named: guesses. */
export function areGuesses(row: readonly Call[]): boolean {
  let made = 0;
  for (const { isMadeUp } of row) if (isMadeUp) made++;
  return 2 * made > row.length;
}

/** Whether a new call brought, at length, only what the run has seen. */
export function isBarren({ outcome, progress, isNewCall, length, effect }: Step): boolean {
  if (outcome !== "content" || progress !== "none" || !isNewCall || length <= SHORT) return false;
  return effect === "watch" || effect === "act" || effect === "move" || effect === "look";
}

export function indexesOf(row: readonly Step[]): readonly number[] {
  return row.map(({ index }) => index);
}

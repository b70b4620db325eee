import type { AgentEvent } from "../../packages/doomloop/src/index.ts";
import { randomFrom, seedOf } from "./numbers.ts";

/** The same run as another host would have told it: what is innocent stays innocent. */
type Variant = (events: readonly AgentEvent[], run: string) => AgentEvent[];

/** All variants, by their names in the tables. */
export const variants = {
  "tools renamed": (events, run) => renameTools(events, seedOf(run)),
  "tools renamed, answers reworded": (events, run) => rewordOutputs(renameTools(events, seedOf(run)), seedOf(run)),
  "a usual sentence after the request": addSentence,
  "no clock": dropClock,
  "no rounds": dropRounds,
  "no clock, no rounds": (events) => dropRounds(dropClock(events)),
} as const satisfies Record<string, Variant>;

const SENTENCE = " Make sure every test passes before you finish.";

function addSentence(events: readonly AgentEvent[]): AgentEvent[] {
  const first = events.findIndex(({ type }) => type === "user");
  const request = events[first];
  if (request?.type !== "user") return [{ type: "user", text: SENTENCE.trim() }, ...events];
  return events.with(first, { ...request, text: `${request.text ?? ""}${SENTENCE}` });
}

export type VariantName = keyof typeof variants;

/** The same run from a host that has no clock. */
function dropClock(events: readonly AgentEvent[]): AgentEvent[] {
  return events.map((event) => {
    if (event?.type !== "call" && event?.type !== "result") return event;
    const { at: _, ...timeless } = event;
    return timeless;
  });
}

/** The same run from a host that does not tell where a model answer begins. */
function dropRounds(events: readonly AgentEvent[]): AgentEvent[] {
  return events.filter((event) => event?.type !== "round");
}

const CONSONANTS = "bdfgklmnprstvz";
const VOWELS = "aeiou";
const SYLLABLES = 4;

/** Gives every tool a word without a meaning for a name: equal names stay equal, different ones stay different. */
function renameTools(events: readonly AgentEvent[], seed: number): AgentEvent[] {
  const random = randomFrom(seed);
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const nameOf = (tool: string): string => {
    const known = names.get(tool);
    if (known !== undefined) return known;
    let word = wordFrom(random);
    while (taken.has(word)) word = wordFrom(random);
    taken.add(word);
    names.set(tool, word);
    return word;
  };
  return events.map((event) => (event?.type === "call" ? { ...event, tool: nameOf(event.tool) } : event));
}

function wordFrom(random: () => number): string {
  const letterOf = (letters: string): string => letters.charAt(Math.floor(random() * letters.length));
  return Array.from({ length: SYLLABLES }, () => letterOf(CONSONANTS) + letterOf(VOWELS)).join("");
}

const LETTERS = "abdghijkopuvxz";
const MAX_DEPTH = 20;
const MAX_TRIES = 20;
/** What is more syntax than word. */
const KEPT = new Set(["true", "false", "null"]);
/** Escapes are no part of a word, and what holds a digit is an id, a time or a measure: both stay. */
const TOKENS = /\\[\w"\\/]|[\p{L}\p{N}]+/gu;

/**
 * Gives every word of the tools' answers another one without a meaning: equal words stay equal, different ones stay
 * different. Length, case, digits and punctuation are kept, and so is everything but the answers.
 *
 * Only words in Latin letters are replaced.
 */
function rewordOutputs(events: readonly AgentEvent[], seed: number): AgentEvent[] {
  const words = new Map<string, string>();
  const taken = new Set<string>();
  const wordFor = (word: string): string => {
    const known = words.get(word);
    if (known !== undefined) return known;
    let other = "";
    for (let attempt = 0; other === "" || (taken.has(other) && attempt < MAX_TRIES); attempt++)
      other = madeUp(`${seed} ${attempt} ${word}`, word.length);
    // There are few short words: one more letter tells them apart.
    while (taken.has(other)) other += LETTERS[taken.size % LETTERS.length]!;
    taken.add(other);
    words.set(word, other);
    return other;
  };
  const reword = (text: string): string =>
    text.replaceAll(TOKENS, (token) => {
      if (token.length === 1 || KEPT.has(token) || !/^\p{Script=Latin}+$/u.test(token)) return token;
      return inCaseOf(token, wordFor(token.toLowerCase()));
    });
  return events.map((event) =>
    event?.type === "result" && event.output !== undefined
      ? { ...event, output: rewordValue(event.output, reword, 0) }
      : event,
  );
}

function rewordValue(value: unknown, reword: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return reword(value);
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => rewordValue(item, reword, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [reword(key), rewordValue(item, reword, depth + 1)]),
  );
}

function madeUp(seed: string, length: number): string {
  const random = randomFrom(seedOf(seed));
  return Array.from({ length }, () => LETTERS.charAt(Math.floor(random() * LETTERS.length))).join("");
}

/** The other word, with capitals where the first one has them. */
function inCaseOf(word: string, other: string): string {
  if (word === word.toLowerCase()) return other;
  if (word === word.toUpperCase()) return other.toUpperCase();
  return [...other].map((letter, at) => (/\p{Lu}/u.test(word[at] ?? "") ? letter.toUpperCase() : letter)).join("");
}

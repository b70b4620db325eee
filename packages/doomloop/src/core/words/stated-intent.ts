import { wordList, wordSet } from "../collections/word-list.ts";

/**
 * What the user or the agent said about repeating or waiting. Plain data. Holds an excerpt of the words until {@link intentOf} reads them;
 * words are never saved.
 */
export interface Intent {
  /** How often something is to be done; 0 if nobody said so. */
  times: number;
  /** The user wants something watched, or waited for. */
  isWatching: boolean;
  /** The agent says that it is waiting for something. */
  isWaiting: boolean;
  /** The latest words of the user, until they are read. */
  request: string | undefined;
  /** The latest words of the agent, until they are read; when saved, whether they say that it is waiting. */
  said: string | boolean | undefined;
}

/** Characters that are read at the beginning and at the end of a longer text. */
const EXCERPT_END = 500;
/** Larger numbers are not meant as a count. */
const MOST_TIMES = 100;

const NUMBERS = wordList(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty",
);
/** "25 times", "30 steps", "10 mal", "5 veces", "3 fois". */
const COUNTED = wordSet("times x steps runs samples readings rounds attempts mal veces fois vezes");
/** "All 14 screens", "each of the twelve rooms". */
const LEADING = wordSet("all of these the its");
/** What asks for patience. */
const WATCHING = phrases(
  `until|as soon as|wait for|wait until|wait till|waiting for|keep checking|keep watching|keep trying|keep polling|keep an eye|watch the|watch it|watch for|monitor|poll|every minute|every hour|every second|every half|every quarter|every few|minutes|hours|once it|once they|once the|once all|tell me when|tell me if|let me know when|when it is|when it has|when they are|when all|bis|sobald|warte|beobachte|jede minute|jede stunde|sekunden|minuten|hasta que|en cuanto|espera|vigila|cada minuto|cada hora|minutos|jusqu'à ce|dès que|attends|surveille|toutes les|até que|assim que|espere|monitore|a cada`,
);
const WATCHING_UNSPACED = /まで|毎分|ごとに|待って/;
const TIMES_UNSPACED = /(\d{1,3}) ?回/;
/** What a waiting agent says. */
const WAITING = phrases(
  "wait for|waiting for|wait until|wait a|still running|still pending|still building|still starting|still processing|still in progress|check again|check back|not ready|not done|not finished|not up|not yet|give it",
);

export function createIntent(): Intent {
  return { times: 0, isWatching: false, isWaiting: false, request: undefined, said: undefined };
}

/** The user speaks, so what was said before no longer holds. */
export function hearUser(intent: Intent, text: string | undefined): void {
  Object.assign(intent, { ...createIntent(), request: text && excerpt(text) });
}

/** The agent speaks; only its latest words are read. */
export function hearAgent(intent: Intent, text: string): void {
  intent.said = excerpt(text);
}

/** What was said. Words in a language that is not understood say nothing. */
export function intentOf(intent: Intent): Intent {
  settleIntent(intent);
  intent.isWaiting ||= intent.said === true;
  intent.said = undefined;
  return intent;
}

/** Reads the words, so that none are saved. It does not change what {@link intentOf} returns later. */
export function settleIntent(intent: Intent): void {
  const { request, said } = intent;
  if (typeof said === "string") intent.said = says(wordsOf(said), WAITING);
  if (request === undefined) return;
  intent.request = undefined;
  const words = wordsOf(request);
  intent.times = Math.min(MOST_TIMES, timesIn(words, Number(TIMES_UNSPACED.exec(request)?.[1] ?? 0)));
  intent.isWatching = says(words, WATCHING) || WATCHING_UNSPACED.test(request);
}

function timesIn(words: readonly string[], least: number): number {
  const numbers = words.filter((_, at) => COUNTED.has(words[at + 1] ?? "") || LEADING.has(words[at - 1] ?? ""));
  return Math.max(least, ...numbers.map(numberOf));
}

/** Joining copies the excerpt; a slice alone would keep the whole text in memory. */
function excerpt(text: string): string {
  return text.length <= 2 * EXCERPT_END ? text : [text.slice(0, EXCERPT_END), text.slice(-EXCERPT_END)].join(" ");
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/[\s.,;:!?()"]+/);
}

function numberOf(word: string): number {
  const unit = word.charCodeAt(0);
  return unit >= 48 && unit <= 57 ? Number(word) || 0 : NUMBERS.indexOf(word);
}

function says(words: readonly string[], wanted: ReadonlyMap<string, readonly (readonly string[])[]>): boolean {
  return words.some((word, at) =>
    wanted.get(word)?.some((rest) => rest.every((next, offset) => words[at + 1 + offset] === next)),
  );
}

/** Phrases by their first word, with the words that follow it. */
function phrases(list: string): ReadonlyMap<string, readonly (readonly string[])[]> {
  const byFirst = new Map<string, string[][]>();
  for (const phrase of list.split("|")) {
    const [first = "", ...rest] = phrase.split(" ");
    byFirst.set(first, [...(byFirst.get(first) ?? []), rest]);
  }
  return byFirst;
}

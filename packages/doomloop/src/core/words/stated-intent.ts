/**
 * What somebody said about repeating or waiting. Plain data: an excerpt of the words until somebody asks, and never at rest. Ask
 * {@link intentOf}.
 */
export interface Intent {
  /** How often something is to be done; 0 if nobody said. */
  times: number;
  /** The user wants something watched, or waited for. */
  isWatching: boolean;
  /** The agent says that it waits for something. */
  isWaiting: boolean;
  /** The latest words of the user that nobody has read yet. */
  request: string | undefined;
  /** Those of the agent that nobody has asked for yet; at rest, whether they say that it waits. */
  said: string | boolean | undefined;
}

/** Longer texts are read as far as this, and from this far before their end. */
const MAX_READ = 500;
/** Nobody means more than this. */
const MOST_TIMES = 100;

const NUMBERS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  );
/** "25 times", "30 steps", "10 mal", "5 veces", "3 fois". */
const COUNTED = setOf("times x steps runs samples readings rounds attempts mal veces fois vezes");
/** "All 14 screens", "each of the twelve rooms". */
const LEADING = setOf("all of these the its");
/** What asks for patience, by its first words. */
const WATCHING = phrases(
  `until|as soon as|wait for|wait until|wait till|waiting for|keep checking|keep watching|keep trying|keep polling|keep an eye|watch the|watch it|watch for|monitor|poll|every minute|every hour|every second|every half|every quarter|every few|minutes|hours|once it|once they|once the|once all|tell me when|tell me if|let me know when|when it is|when it has|when they are|when all|bis|sobald|warte|beobachte|jede minute|jede stunde|sekunden|minuten|hasta que|en cuanto|espera|vigila|cada minuto|cada hora|minutos|jusqu'à ce|dès que|attends|surveille|toutes les|até que|assim que|espere|monitore|a cada`,
);
const WATCHING_UNSPACED = /まで|毎分|ごとに|待って/;
const TIMES_UNSPACED = /(\d{1,3}) ?回/;
/** What an agent says that waits. */
const WAITING = phrases(
  "wait for|waiting for|wait until|wait a|still running|still pending|still building|still starting|still processing|still in progress|check again|check back|not ready|not done|not finished|not up|not yet|give it",
);

export function createIntent(): Intent {
  return { times: 0, isWatching: false, isWaiting: false, request: undefined, said: undefined };
}

/** The user speaks: what was said before is over. */
export function hearUser(intent: Intent, text: string | undefined): void {
  Object.assign(intent, { ...createIntent(), request: text && excerpt(text) });
}

/** The agent speaks; only its latest words are read. */
export function hearAgent(intent: Intent, text: string): void {
  intent.said = excerpt(text);
}

/** What was said, read as far as nobody did. A language that is not understood says nothing. */
export function intentOf(intent: Intent): Intent {
  settleIntent(intent);
  intent.isWaiting ||= intent.said === true;
  intent.said = undefined;
  return intent;
}

/** Reads the words, so that none are at rest. Whoever asks later is told what they would have been told without it. */
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

/** Copied where it is cut: a slice alone would hold on to the whole. */
function excerpt(text: string): string {
  return text.length <= 2 * MAX_READ ? text : [text.slice(0, MAX_READ), text.slice(-MAX_READ)].join(" ");
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

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}

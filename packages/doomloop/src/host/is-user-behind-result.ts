/** A message of a conversation, as far as it tells whether the user speaks. */
export interface Spoken {
  /** What is neither the user's nor a result does not matter here. */
  readonly by: "user" | "result" | "other";
  /** A text, or a list of parts that may have one. */
  readonly content: unknown;
}

const MAX_EARLIER = 8;
const MAX_TEXT = 2000;
/** Texts are alike that share this much of their words: a reminder may count, or tell the time. */
const ALIKE = 0.5;

/**
 * Whether a user's message at the end, right behind a result, is the user's own. It may be a reminder that the loop adds each time. A
 * reminder is like those before it behind other results; the first such message does not tell.
 */
export function isUserBehindResult(messages: readonly Spoken[]): boolean {
  const last = messages.findLastIndex(({ by }) => by !== "user");
  if (last === messages.length - 1 || messages[last]?.by !== "result") return false;
  const words = wordsOf(messages.at(-1)!.content);
  const earlier: Spoken[] = [];
  let isBehind = false;
  for (const message of messages.slice(0, last)) {
    if (message.by !== "user") isBehind = message.by === "result";
    else if (isBehind) earlier.push(message);
  }
  return earlier.length > 0 && !earlier.slice(-MAX_EARLIER).some(({ content }) => isAlike(words, wordsOf(content)));
}

function isAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((word) => other.has(word)).length;
  return shared >= ALIKE * (one.size + other.size - shared);
}

function wordsOf(content: unknown): Set<string> {
  const texts = Array.isArray(content) ? content.map((part: { text?: unknown } | null) => part?.text) : [content];
  const text = texts.filter((each) => typeof each === "string").join(" ");
  return new Set(
    text
      .slice(0, MAX_TEXT)
      .toLowerCase()
      .match(/\p{L}+/gu),
  );
}

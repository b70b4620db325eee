/** What is read of a message to tell whether the user wrote it. */
export interface Spoken {
  /** `other` is anything that is neither the user's nor a result. */
  readonly by: "user" | "result" | "other";
  /** A text, or a list of parts that may have text. */
  readonly content: unknown;
}

const MAX_EARLIER = 8;
const MAX_TEXT = 2000;
/** Two texts are alike if they share this fraction of their words. A reminder may contain a counter or the time. */
const ALIKE = 0.5;

/**
 * Whether the user really wrote the last message, a user message right after a result. It may instead be a reminder that the agent's
 * program adds each time. A reminder resembles earlier messages after results; for the first such message we cannot tell, and say no.
 */
export function isUserAfterResult(messages: readonly Spoken[]): boolean {
  const last = messages.findLastIndex(({ by }) => by !== "user");
  if (last === messages.length - 1 || messages[last]?.by !== "result") return false;
  const words = wordsOf(messages.at(-1)!.content);
  const earlier: Spoken[] = [];
  let isAfterResult = false;
  for (const message of messages.slice(0, last)) {
    if (message.by !== "user") isAfterResult = message.by === "result";
    else if (isAfterResult) earlier.push(message);
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

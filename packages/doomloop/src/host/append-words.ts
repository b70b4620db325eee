import { isObject } from "./is-object.ts";

/** How a host writes a piece of text in a list of content parts. */
export type TextPart = (text: string) => object;

const plainPart: TextPart = (text) => ({ type: "text", text });

/**
 * Adds words to a tool's result: to a list of content parts as one more part, to a text after a blank line. A text that is JSON stays
 * whole, because programs parse it: it becomes a list of two parts, the text and the words.
 *
 * Returns undefined for any other value: it cannot be changed without changing what the host's own code reads, and the
 * adapter must find another way or hold the words. Never changes what it is given.
 */
export function appendWords(content: unknown, words: string, textPart: TextPart = plainPart): unknown {
  if (typeof content === "string") {
    return isJsonText(content) ? [textPart(content), textPart(words)] : appendToText(content, words);
  }
  if (Array.isArray(content) && content.every(isPart)) return [...content, textPart(words)];
  return undefined;
}

/** Adds words to a text after a blank line, whatever the text is: for what only the model reads, and no program parses. */
export function appendToText(text: string, words: string): string {
  return text === "" ? words : `${text}\n\n${words}`;
}

const MAX_PARSED = 1_048_576;

/** Whether a text is a JSON object or array. One that is too long to be parsed here is believed by its brackets. */
export function isJsonText(text: string): boolean {
  const first = /\S/.exec(text)?.[0];
  if (first !== "{" && first !== "[") return false;
  if (text.length > MAX_PARSED) return /[\]}]\s{0,8}$/.test(text.slice(-16));
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isPart(value: unknown): boolean {
  return isObject(value) && typeof (value as { type?: unknown }).type === "string";
}

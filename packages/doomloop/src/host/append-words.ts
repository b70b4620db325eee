import { isObject } from "./is-object.ts";

/** How a host writes a piece of text in a list of content parts. */
export type TextPart = (text: string) => object;

const plainPart: TextPart = (text) => ({ type: "text", text });

/**
 * Adds words behind a tool's result: to a string after a blank line, to a list of content parts as one more part.
 *
 * Returns undefined for any other value: it cannot be changed without changing what the host's own code reads, and the
 * adapter must find another way or hold the words. Never changes what it is given.
 */
export function appendWords(content: unknown, words: string, textPart: TextPart = plainPart): unknown {
  if (typeof content === "string") return content === "" ? words : `${content}\n\n${words}`;
  if (Array.isArray(content) && content.every(isPart)) return [...content, textPart(words)];
  return undefined;
}

function isPart(value: unknown): boolean {
  return isObject(value) && typeof (value as { type?: unknown }).type === "string";
}

import { appendToText } from "./append-words.ts";

/**
 * Adds words to what a failed tool threw, for hosts that show an error's message to the agent.
 *
 * The answer inherits from the error, so that `instanceof` and every field still hold; the error itself is left alone.
 * Undefined where there is no message to add to.
 */
export function appendToError(error: unknown, words: string): unknown {
  if (typeof error === "string") return appendToText(error, words);
  if (!(error instanceof Error)) return undefined;
  const message = appendToText(error.message, words);
  return Object.create(error, { message: { value: message, configurable: true, writable: true } });
}

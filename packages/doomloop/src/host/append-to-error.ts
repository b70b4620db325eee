import { appendToText } from "./append-words.ts";

/**
 * Adds words to what a failed tool threw, for hosts that show an error's message to the agent.
 *
 * The answer inherits from the error, so that `instanceof` and every field still hold; the error itself is left alone.
 * Undefined where there is no message to add to.
 *
 * @param onRead told when the message of an error is first read: only then can the agent have read the words
 */
export function appendToError(error: unknown, words: string, onRead?: () => void): unknown {
  if (typeof error === "string") return appendToText(error, words);
  if (error === undefined || error === null) return new Error(words);
  if (!(error instanceof Error)) return undefined;
  const value = appendToText(error.message, words);
  const plain = { value, configurable: true, writable: true };
  if (onRead === undefined) return Object.create(error, { message: plain });
  return Object.create(error, {
    message: {
      configurable: true,
      get(this: object) {
        Object.defineProperty(this, "message", plain);
        onRead();
        return value;
      },
    },
  });
}

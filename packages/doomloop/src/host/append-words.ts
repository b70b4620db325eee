import { isObject } from "../core/identity/read-object.ts";

/** How a host writes a piece of text in a list of content parts. */
type TextPart = (text: string) => object;

const plainPart: TextPart = (text) => ({ type: "text", text });

/**
 * Appends words to a tool's result: to a text after a blank line, to a list of content parts as one more part. Programs parse text that is
 * JSON, so such a text stays whole and becomes a list of two parts: the text and the words.
 *
 * Returns undefined for any other value. It cannot be changed without changing what the host's own code reads, so the adapter
 * must find another way or hold the words. The given value is never changed.
 */
export function appendWords(content: unknown, words: string, textPart: TextPart = plainPart): unknown {
  if (typeof content === "string") {
    return isJsonText(content) ? [textPart(content), textPart(words)] : appendToText(content, words);
  }
  if (Array.isArray(content) && content.every(isPart)) return [...content, textPart(words)];
  return undefined;
}

/** Appends words to any text after a blank line. Use it for text that only the model reads and no program parses. */
export function appendToText(text: string, words: string): string {
  return text === "" ? words : `${text}\n\n${words}`;
}

const MAX_PARSED = 1_048_576;

/** Whether a text is a JSON object or array. If it is too long to parse, only its first and last bracket are checked. */
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

/** A tool's result as a request of the AI SDK's model format has it: `text`, `json`, `content`, and the same for errors. */
export interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
}

/**
 * Appends words to a result in a request to a model. JSON becomes text, because every provider accepts text, and words cannot be added to
 * JSON. An output that has no room for words is returned unchanged.
 */
export function appendToModelOutput(output: ModelOutput, words: string): ModelOutput {
  const { type, value } = output;
  if (type === "json" || type === "error-json") {
    const text = jsonOf(value);
    if (text === undefined) return output;
    return { ...output, type: type === "json" ? "text" : "error-text", value: appendToText(text, words) };
  }
  const appended = typeof value === "string" ? appendToText(value, words) : appendWords(value, words);
  return appended === undefined ? output : { ...output, value: appended };
}

/** A value as JSON. Undefined if it is not JSON; the host runs into that by itself. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/**
 * Appends words to the error of a failed tool, for hosts that show an error's message to the agent.
 *
 * Returns an object that inherits from the error, so that `instanceof` and all fields still work. The error itself is not changed.
 * Returns undefined if there is no message to append to.
 *
 * @param onRead called when the message is first read; the agent cannot have read the words before
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

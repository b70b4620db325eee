import { appendToText, appendWords } from "../../host/append-words.ts";
import { isObject } from "../../host/is-object.ts";
import type { ToolLike } from "./settings.ts";

/** What the model reads of a tool's result: `text`, `json`, `content`, and the same for errors. */
interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
}

type ToModelOutput = (this: unknown, argument: unknown) => ModelOutput | PromiseLike<ModelOutput>;

/**
 * A tool's `toModelOutput` with the words that belong to a result behind it.
 *
 * `ai` 5 passes the output itself; later majors pass the call's input beside it, and that tells one call from all others.
 */
export function modelOutputWith(tool: ToolLike, words: WeakMap<object, string>): ToModelOutput {
  const own = typeof tool.toModelOutput === "function" ? (tool.toModelOutput as ToModelOutput) : undefined;
  return (argument) => {
    const { input, output } = readArgument(argument);
    const said = wordsFor(argument, words) ?? wordsFor(input, words);
    const plain = own === undefined ? defaultOutput(output) : own.call(tool, argument);
    if (said === undefined) return plain;
    return "then" in plain ? plain.then((known) => withWords(known, said)) : withWords(plain, said);
  };
}

function readArgument(argument: unknown): { input?: unknown; output: unknown } {
  const isLater = isObject(argument) && "toolCallId" in argument && "output" in argument;
  return isLater ? (argument as { input?: unknown; output: unknown }) : { output: argument };
}

function wordsFor(key: unknown, words: WeakMap<object, string>): string | undefined {
  return isObject(key) ? words.get(key) : undefined;
}

/** What the host makes of an output where the tool does not say. */
function defaultOutput(output: unknown): ModelOutput {
  if (typeof output === "string") return { type: "text", value: output };
  const json = jsonOf(output);
  return { type: "json", value: json === undefined ? (output ?? null) : JSON.parse(json) };
}

/** Undefined for what is no JSON: the host meets that by itself. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** JSON becomes its text, because every provider takes text and no words fit into JSON. */
function withWords(output: ModelOutput, words: string): ModelOutput {
  const { type, value } = output;
  if (type === "json" || type === "error-json") {
    const text = jsonOf(value);
    if (text === undefined) return output;
    return { ...output, type: type === "json" ? "text" : "error-text", value: appendToText(text, words) };
  }
  const appended = typeof value === "string" ? appendToText(value, words) : appendWords(value, words);
  return appended === undefined ? output : { ...output, value: appended };
}

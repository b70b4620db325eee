import { appendWords } from "../host/append-words.ts";
import type { MessageLike, OutputLike, PartLike } from "./config.ts";

export function partsOf({ content }: MessageLike): readonly PartLike[] {
  return typeof content === "string" ? [] : content;
}

export function isCall(part: PartLike): boolean {
  return part.type === "tool-call";
}

export function isResult(part: PartLike): boolean {
  return part.type === "tool-result" && part.output !== undefined;
}

export function isFailure(output: OutputLike | undefined): boolean {
  return output?.type.startsWith("error") === true;
}

/** Whether the user has spoken since the agent's last word, and not right behind a tool's result: that may be a reminder. */
export function isNewTurn(prompt: readonly MessageLike[]): boolean {
  const latest = prompt.findLast(({ role }) => role !== "user" && role !== "system");
  if (prompt.at(-1)?.role !== "user") return false;
  return latest === undefined || (latest.role === "assistant" && !partsOf(latest).some(isCall));
}

/** The prompt with words behind the results that they belong to. The very same prompt where there are none. */
export function withWords(prompt: readonly MessageLike[], words: ReadonlyMap<string, string>): readonly MessageLike[] {
  if (words.size === 0) return prompt;
  return prompt.map((message) => {
    if (message.role !== "tool") return message;
    const content = partsOf(message).map((part) => {
      const said = words.get(part.toolCallId ?? "");
      return said === undefined || part.output === undefined ? part : { ...part, output: speak(part.output, said) };
    });
    return { ...message, content };
  });
}

/** JSON becomes its text, because every provider takes text and no words fit into JSON. */
function speak(output: OutputLike, words: string): OutputLike {
  const { type, value } = output;
  if (type === "json" || type === "error-json") {
    return {
      ...output,
      type: type === "json" ? "text" : "error-text",
      value: appendWords(JSON.stringify(value), words),
    };
  }
  const appended = appendWords(value, words);
  return appended === undefined ? output : { ...output, value: appended };
}

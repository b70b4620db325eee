import { appendToText, appendWords } from "../../host/append-words.ts";
import { isUserBehindResult, type Spoken } from "../../host/is-user-behind-result.ts";
import type { MessageLike, OutputLike, PartLike } from "./config.ts";

function partsOf({ content }: MessageLike): readonly PartLike[] {
  return typeof content === "string" ? [] : content;
}

function isCall(part: PartLike): boolean {
  return part.type === "tool-call";
}

function isResult(part: PartLike): boolean {
  return part.type === "tool-result" && part.output !== undefined;
}

export function isFailure(output: OutputLike | undefined): boolean {
  return output?.type.startsWith("error") === true;
}

/** Whether the user has spoken since the agent's last word. Right behind a tool's result it may be a reminder. */
export function isNewTurn(prompt: readonly MessageLike[]): boolean {
  const latest = prompt.findLast(({ role }) => role !== "user" && role !== "system");
  if (prompt.at(-1)?.role !== "user") return false;
  if (latest === undefined || (latest.role === "assistant" && !partsOf(latest).some(isCall))) return true;
  return isUserBehindResult(prompt.filter(({ role }) => role !== "system").map(spokenOf));
}

function spokenOf({ role, content }: MessageLike): Spoken {
  if (role === "user") return { by: role, content };
  return { by: role === "tool" ? "result" : "other", content: undefined };
}

/** A result in a prompt. Ids may repeat: `key` is the id with how often it was there before. */
export interface PromptResult {
  readonly key: string;
  readonly id: string;
  readonly output: OutputLike;
}

export function resultsIn(prompt: readonly MessageLike[]): PromptResult[] {
  const nextKey = keyMaker();
  return prompt
    .flatMap(partsOf)
    .filter(isResult)
    .map(({ toolCallId: id = "", output }) => ({ key: nextKey(id), id, output: output! }));
}

/** The prompt with words behind the results that they belong to. The very same prompt where there are none. */
export function withWords(prompt: readonly MessageLike[], words: ReadonlyMap<string, string>): readonly MessageLike[] {
  if (words.size === 0) return prompt;
  const nextKey = keyMaker();
  return prompt.map((message) => {
    if (!partsOf(message).some(isResult)) return message;
    const content = partsOf(message).map((part) => {
      const said = isResult(part) ? words.get(nextKey(part.toolCallId ?? "")) : undefined;
      return said === undefined ? part : { ...part, output: speak(part.output!, said) };
    });
    return { ...message, content };
  });
}

function keyMaker(): (id: string) => string {
  const counts = new Map<string, number>();
  return (id) => {
    const count = counts.get(id) ?? 0;
    counts.set(id, count + 1);
    return `${count} ${id}`;
  };
}

/** How often the user has spoken. */
export function usersIn(prompt: readonly MessageLike[]): number {
  return prompt.filter(({ role }) => role === "user").length;
}

/** JSON becomes its text, because every provider takes text and no words fit into JSON. */
function speak(output: OutputLike, words: string): OutputLike {
  const { type, value } = output;
  if (type === "json" || type === "error-json") {
    return {
      ...output,
      type: type === "json" ? "text" : "error-text",
      value: appendToText(JSON.stringify(value), words),
    };
  }
  const appended = typeof value === "string" ? appendToText(value, words) : appendWords(value, words);
  return appended === undefined ? output : { ...output, value: appended };
}

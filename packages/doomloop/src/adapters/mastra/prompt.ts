import { appendToModelOutput, type ModelOutput } from "../../host/append-words.ts";
import { isUserAfterResult, type Spoken } from "../../host/is-user-after-result.ts";
import type { MessageLike, PartLike } from "./config.ts";

function partsOf({ content }: MessageLike): readonly PartLike[] {
  return typeof content === "string" ? [] : content;
}

function isCall(part: PartLike): boolean {
  return part.type === "tool-call";
}

function isResult(part: PartLike): boolean {
  return part.type === "tool-result" && part.output !== undefined;
}

export function isFailure(output: ModelOutput | undefined): boolean {
  return output?.type.startsWith("error") === true;
}

/** Whether the user has spoken since the agent's last answer. A user message right after a tool's result may be a reminder. */
export function isNewTurn(prompt: readonly MessageLike[]): boolean {
  const latest = prompt.findLast(({ role }) => role !== "user" && role !== "system");
  if (prompt.at(-1)?.role !== "user") return false;
  if (latest === undefined || (latest.role === "assistant" && !partsOf(latest).some(isCall))) return true;
  return isUserAfterResult(prompt.filter(({ role }) => role !== "system").map(spokenOf));
}

function spokenOf({ role, content }: MessageLike): Spoken {
  if (role === "user") return { by: role, content };
  return { by: role === "tool" ? "result" : "other", content: undefined };
}

/** A result in a prompt. Ids may repeat, so `key` is the id with the number of earlier results that have it. */
export interface PromptResult {
  readonly key: string;
  readonly id: string;
  readonly output: ModelOutput;
}

export function resultsIn(prompt: readonly MessageLike[]): PromptResult[] {
  const nextKey = keyMaker();
  return prompt
    .flatMap(partsOf)
    .filter(isResult)
    .map(({ toolCallId: id = "", output }) => ({ key: nextKey(id), id, output: output! }));
}

/** The prompt with words appended to the results that they belong to. Returns the same object if there are none. */
export function withWords(prompt: readonly MessageLike[], words: ReadonlyMap<string, string>): readonly MessageLike[] {
  if (words.size === 0) return prompt;
  const nextKey = keyMaker();
  return prompt.map((message) => {
    if (!partsOf(message).some(isResult)) return message;
    const content = partsOf(message).map((part) => {
      const said = isResult(part) ? words.get(nextKey(part.toolCallId ?? "")) : undefined;
      return said === undefined ? part : { ...part, output: appendToModelOutput(part.output!, said) };
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

/** The number of user messages. */
export function usersIn(prompt: readonly MessageLike[]): number {
  return prompt.filter(({ role }) => role === "user").length;
}

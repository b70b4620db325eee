import { appendWords } from "../../host/append-words.ts";
import type { HostRun } from "../../host/host-run.ts";
import { isUserBehindResult, type Spoken } from "../../host/is-user-behind-result.ts";
import { contentBlocks } from "./content-blocks.ts";

/** A call in an answer of the model. */
export interface ToolCallLike {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** The few fields of a LangChain message that are read here. Each kind of message has some of them. */
export interface MessageLike {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly content: unknown;
  /** Content in the standard wording, whatever the provider's is. */
  readonly contentBlocks?: unknown;
  readonly tool_calls?: readonly ToolCallLike[] | undefined;
  readonly tool_call_id?: string;
  readonly status?: string | undefined;
  readonly response_metadata?: object | undefined;
  readonly additional_kwargs?: object | undefined;
}

/** A message as the host's reducer takes it: it makes its own class of it. */
export interface NewMessage {
  role: "tool";
  content: string;
  tool_call_id: string;
  name: string;
  status: "error";
}

/** Answers a call that is not run. */
export function answerTo({ id = "", name }: ToolCallLike, content: string): NewMessage {
  return { role: "tool", content, tool_call_id: id, name, status: "error" };
}

export function isAnswer(message: MessageLike): boolean {
  return message.type === "ai";
}

/** The calls of an answer that wait for a result. One without an id cannot be answered by us, and is left alone. */
export function openCalls(messages: readonly MessageLike[]): ToolCallLike[] {
  const at = messages.findLastIndex(isAnswer);
  const answered = new Set(messages.slice(at + 1).map((message) => message.tool_call_id));
  return (messages[at]?.tool_calls ?? []).filter(({ id }) => id !== undefined && !answered.has(id));
}

/** Whether the user has spoken since the agent's last word. Right behind a tool's result it may be a reminder. */
export function isNewTurn(messages: readonly MessageLike[]): boolean {
  const latest = messages.findLast(({ type }) => type !== "human" && type !== "system");
  if (messages.at(-1)?.type !== "human") return false;
  if (latest === undefined || (isAnswer(latest) && !latest.tool_calls?.length)) return true;
  return isUserBehindResult(messages.filter(({ type }) => type !== "system").map(spokenOf));
}

function spokenOf({ type, content }: MessageLike): Spoken {
  if (type === "human") return { by: "user", content };
  return { by: type === "tool" ? "result" : "other", content: undefined };
}

/** Observes the result of a call. Returns what is to be said about it. */
export function observeResult(
  run: HostRun,
  { content, status, tool_call_id = "" }: MessageLike,
  id: string = tool_call_id,
): string | undefined {
  return run.result({ id, output: content, error: status === "error" || undefined });
}

/** A result with words added to it; undefined if they do not fit, and wait for the next one. */
export function withWords(run: HostRun, message: MessageLike, words: string): MessageLike | undefined {
  const content = appendWords(message.content, words);
  if (content === undefined) run.hold(words);
  return content === undefined ? undefined : copyWith(message, { content });
}

/** A message of the same class with other fields. It keeps its id: the host puts it in the place of the first. */
export function copyWith<Message extends MessageLike>(message: Message, fields: Partial<MessageLike>): Message {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields);
}

/** Observes the calls of an answer that the provider ran by itself. */
export function observeProviderCalls(run: HostRun, message: MessageLike): void {
  const blocks = contentBlocks(message);
  for (const { type, id, name, args } of blocks) {
    if (type !== "server_tool_call" || name === undefined) continue;
    const result = blocks.find((block) => block.type === "server_tool_call_result" && block.toolCallId === id);
    run.past({ id, tool: name, args, output: result?.output, error: result?.status === "error" || undefined });
  }
}

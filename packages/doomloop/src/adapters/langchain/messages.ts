import { isObject } from "../../core/identity/read-object.ts";
import { appendWords } from "../../host/append-words.ts";
import type { HostRun } from "../../host/host-run.ts";
import { isUserAfterResult, type Spoken } from "../../host/is-user-after-result.ts";

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
  /** The content in LangChain's standard format, whatever the provider's is. */
  readonly contentBlocks?: unknown;
  readonly tool_calls?: readonly ToolCallLike[] | undefined;
  readonly tool_call_id?: string;
  readonly status?: string | undefined;
  readonly response_metadata?: object | undefined;
  readonly additional_kwargs?: object | undefined;
}

/** A message as LangChain's reducer accepts it. The reducer converts it to its own class. */
interface NewMessage {
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

/** The calls of an answer that have no result yet. We cannot answer a call without an id, so it is left out. */
export function openCalls(messages: readonly MessageLike[]): ToolCallLike[] {
  const at = messages.findLastIndex(isAnswer);
  const answered = new Set(messages.slice(at + 1).map((message) => message.tool_call_id));
  return (messages[at]?.tool_calls ?? []).filter(({ id }) => id !== undefined && !answered.has(id));
}

/** Whether the user has spoken since the agent's last answer. A user message right after a tool's result may be a reminder. */
export function isNewTurn(messages: readonly MessageLike[]): boolean {
  const latest = messages.findLast(({ type }) => type !== "human" && type !== "system");
  if (messages.at(-1)?.type !== "human") return false;
  if (latest === undefined || (isAnswer(latest) && !latest.tool_calls?.length)) return true;
  return isUserAfterResult(messages.filter(({ type }) => type !== "system").map(spokenOf));
}

function spokenOf({ type, content }: MessageLike): Spoken {
  if (type === "human") return { by: "user", content };
  return { by: type === "tool" ? "result" : "other", content: undefined };
}

/** Observes the result of a call. Returns the words for it. */
export function observeResult(
  run: HostRun,
  { content, status, tool_call_id = "" }: MessageLike,
  id: string = tool_call_id,
): string | undefined {
  return run.result({ id, output: content, error: status === "error" });
}

/** A result with words appended. Undefined if they do not fit; they then go to the next result. */
export function withWords(run: HostRun, message: MessageLike, words: string): MessageLike | undefined {
  const content = appendWords(message.content, words);
  if (content === undefined) run.hold(words);
  return content === undefined ? undefined : copyWith(message, { content });
}

/** A copy of a message with other fields. It keeps the class and the id, so LangChain replaces the original with it. */
export function copyWith<Message extends MessageLike>(message: Message, fields: Partial<MessageLike>): Message {
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields);
}

/** Observes the calls of an answer that the provider ran by itself. */
export function observeProviderCalls(run: HostRun, message: MessageLike): void {
  const blocks = contentBlocks(message);
  for (const { type, id, name, args } of blocks) {
    if (type !== "server_tool_call" || name === undefined) continue;
    const result = blocks.find((block) => block.type === "server_tool_call_result" && block.toolCallId === id);
    run.past({ id, tool: name, args, output: result?.output, error: result && result.status === "error" });
  }
}

/** The few fields of a content block that are read here, in the standard format or in a provider's. */
interface BlockLike {
  readonly type?: string;
  readonly text?: unknown;
  readonly reasoning?: unknown;
  readonly thinking?: unknown;
  readonly id?: string;
  readonly name?: string;
  readonly args?: unknown;
  readonly toolCallId?: string;
  readonly output?: unknown;
  readonly status?: string;
}

/** The content of a message as a list of blocks. */
function contentBlocks(message: MessageLike): readonly BlockLike[] {
  const blocks = standardBlocks(message) ?? message.content;
  return Array.isArray(blocks) ? blocks.filter(isObject) : [{ type: "text", text: blocks }];
}

/** LangChain translates the content, and may throw for content that it does not expect. */
function standardBlocks(message: MessageLike): unknown {
  try {
    return message.contentBlocks;
  } catch {
    return undefined;
  }
}

/** Observes what an answer says and thinks. Words beside a call are not a whole answer. */
export function observeSaid(run: HostRun, message: MessageLike): void {
  const blocks = contentBlocks(message);
  // Servers with the format of OpenAI put reasoning into an extra field.
  const { reasoning_content: besides } = (message.additional_kwargs ?? {}) as { readonly reasoning_content?: unknown };
  const reasoning = joined(blocks.map(reasoningOf)) || joined([besides]);
  if (reasoning !== "") run.reasoning(reasoning);
  const text = joined(blocks.map((block) => (block.type === "text" ? block.text : undefined)));
  const partial = (message.tool_calls ?? []).length > 0 || blocks.some(({ type }) => type === "server_tool_call");
  if (text !== "") run.text(text, { partial });
}

function reasoningOf({ type, reasoning, thinking }: BlockLike): unknown {
  return type === "reasoning" || type === "thinking" ? (reasoning ?? thinking) : undefined;
}

function joined(texts: readonly unknown[]): string {
  return texts.filter((text) => typeof text === "string").join("\n");
}

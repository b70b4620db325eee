import { latestFirst } from "../../adapters/openai/answers.ts";
import { appendToText } from "../../host/append-words.ts";
import { type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";

/** The conversation in a request to a model, as the reader of Chat Completions and Responses takes it. */
export interface MessageList {
  readonly items: readonly object[];
  /** The request with these items in place of its own. Nothing but the content of results may differ. */
  replaced(items: readonly object[]): ForeignRecord;
}

/**
 * Reads a request of Chat Completions, Responses or Messages.
 *
 * Returns undefined if there is nothing to watch: no list, or only the new part of a conversation that the provider keeps.
 */
export function messageListOf(body: ForeignRecord): MessageList | undefined {
  if (body.previous_response_id || body.conversation || body.thread) return undefined;
  const name = Array.isArray(body.messages) ? "messages" : "input";
  const messages = listOf(body[name]);
  if (messages.length === 0 || !messages.every((message): message is ForeignRecord => recordOf(message) !== undefined))
    return undefined;
  if (messages.some(({ type }) => type === "item_reference")) return undefined;
  if (!messages.some(hasToolBlocks)) return { items: messages, replaced: (items) => ({ ...body, [name]: items }) };
  return readMessages(body, messages);
}

/** Puts words at the end of a result. Undefined if it has no room for them. Text stays text, because only the model reads it. */
export function withWords(item: object, words: string): object | undefined {
  const { role, type, content, output } = item as ForeignRecord;
  if (role === "tool") {
    const spoken = appended(content ?? "", words, "text");
    return spoken === undefined ? undefined : { ...item, content: spoken };
  }
  if (type !== "function_call_output" && type !== "custom_tool_call_output") return undefined;
  const spoken = appended(output, words, "input_text");
  return spoken === undefined ? undefined : { ...item, output: spoken };
}

function appended(content: unknown, words: string, type: string): unknown {
  if (typeof content === "string") return appendToText(content, words);
  if (!Array.isArray(content)) return undefined;
  const last = recordOf(content.at(-1));
  if (typeof last?.text !== "string" || last.text === "") return [...content, { type, text: words }];
  return [...content.slice(0, -1), { ...last, text: appendToText(last.text, words) }];
}

function hasToolBlocks({ content }: ForeignRecord): boolean {
  return listOf(content).some((block) => {
    const { type } = recordOf(block) ?? {};
    return type === "tool_use" || type === "tool_result";
  });
}

/** Where a result is in a list of the Messages API. */
interface Place {
  readonly message: number;
  readonly block: number;
}

/** Translates the Messages API, and puts results back where they came from. */
function readMessages(body: ForeignRecord, messages: readonly ForeignRecord[]): MessageList {
  const places: (Place | undefined)[] = [];
  const items: object[] = [];
  for (const [message, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content);
    for (const [block, result] of blocks.entries()) {
      if (role === "assistant" || result.type !== "tool_result") continue;
      places[items.length] = { message, block };
      items.push(resultItem(result));
    }
    items.push(...(role === "assistant" ? answerItems(blocks) : spokenItems(role, blocks)));
  }

  const replaced = (changed: readonly object[]): ForeignRecord => {
    const copies = [...messages];
    for (const [at, item] of changed.entries()) {
      const place = places[at];
      if (place === undefined || item === items[at]) continue;
      const { [place.message]: copy } = copies;
      const blocks = [...listOf(copy!.content)];
      blocks[place.block] = { ...recordOf(blocks[place.block]), content: (item as ForeignRecord).content };
      copies[place.message] = { ...copy, content: blocks };
    }
    return { ...body, messages: copies };
  };
  return { items, replaced };
}

function blocksOf(content: unknown): ForeignRecord[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return listOf(content).map((block) => recordOf(block) ?? {});
}

function resultItem({ tool_use_id, content, is_error }: ForeignRecord): object {
  return { role: "tool", tool_call_id: textOf(tool_use_id) ?? "", content, ...(is_error === true && { is_error }) };
}

/** What is said beside results. A message of nothing but results is nobody's. */
function spokenItems(role: unknown, blocks: readonly ForeignRecord[]): object[] {
  const said = blocks.filter(({ type }) => type !== "tool_result");
  return said.length === 0 ? [] : [{ role: textOf(role) ?? "user", content: said }];
}

/** An answer in the order in which the guard reads it. The items of one answer stand in a row, as in Responses. */
function answerItems(blocks: readonly ForeignRecord[]): object[] {
  const thoughts = blocks.filter(({ type, thinking }) => type === "thinking" && textOf(thinking) !== undefined);
  const text = blocks.map((block) => (block.type === "text" ? (textOf(block.text) ?? "") : "")).join("");
  const results = latestFirst(blocks, ({ tool_use_id }) => tool_use_id);
  return [
    ...blocks.filter(({ type }) => type === "compaction").map(() => ({ type: "compaction", id: "" })),
    ...thoughts.map(({ thinking }) => ({ type: "reasoning", content: [{ text: thinking }] })),
    ...(text === "" ? [] : [{ type: "message", role: "assistant", content: text }]),
    ...blocks.flatMap((block) => callItem(block, results)),
  ];
}

/** A call, or one that the provider ran, whose result stands in the same answer. Calls with one id take one result after the other. */
function callItem({ type, id, name, input }: ForeignRecord, results: Map<unknown, ForeignRecord[]>): object[] {
  if (type === "tool_use") return [{ type: "function_call", call_id: textOf(id) ?? "", name, arguments: input }];
  if (typeof type !== "string" || !type.endsWith("_tool_use")) return [];
  const result = id === undefined ? undefined : results.get(id)?.pop();
  if (result === undefined) return [];
  const { content, is_error } = result;
  return [
    { type: "mcp_call", id, name, arguments: input, output: content, ...(is_error === true && { error: content }) },
  ];
}

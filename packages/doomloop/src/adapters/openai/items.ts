import { appendWords } from "../../host/append-words.ts";

/** A part of an item that matters to the guard, in either of the two wire formats. */
export type Part =
  | { readonly type: "user"; readonly text: string }
  | { readonly type: "text"; readonly text: string; readonly key: string | undefined }
  | { readonly type: "reasoning"; readonly text: string }
  /** A call that the caller answers. `canAnswer`: text is a valid answer, so the call can be blocked. */
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      readonly args: unknown;
      readonly call: Fields;
      readonly canAnswer: boolean;
    }
  | { readonly type: "result"; readonly id: string; readonly output: unknown; readonly isError?: boolean }
  /** A call that the provider ran. */
  | {
      readonly type: "past";
      readonly id: string;
      readonly name: string;
      readonly args: unknown;
      readonly output: unknown;
      /** Undefined if the provider does not say. */
      readonly isError: boolean | undefined;
    }
  | { readonly type: "compaction"; readonly id: string }
  /** A question to the caller that is not a call: hosted MCP asks for approval. */
  | { readonly type: "question" };

export type CallPart = Extract<Part, { type: "call" }>;
export type ResultPart = Extract<Part, { type: "result" }>;

/** An item, and whether the model wrote it. */
export interface Entry {
  readonly item: Fields;
  readonly isModel: boolean;
  /** Whether it is a whole answer of the model, as in Chat Completions. In Responses, an answer is several items. */
  readonly isWholeAnswer: boolean;
  readonly parts: readonly Part[];
}

/** The fields of messages and items that are read here. They may contain anything. */
interface Fields {
  readonly type?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  /** Servers of Chat Completions use two names for reasoning. */
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly id?: unknown;
  readonly call_id?: unknown;
  readonly action?: unknown;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly outputs?: unknown;
  readonly error?: unknown;
  readonly code?: unknown;
  readonly queries?: unknown;
  readonly results?: unknown;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: unknown;
  /** Not of this API: results of others keep their flag when they are translated. */
  readonly is_error?: unknown;
}

/** Reads a list of Chat Completions messages or of Responses items. */
export function readItems(items: readonly unknown[]): Entry[] {
  return items.map((value) => {
    const item: Fields = typeof value === "object" && value !== null ? value : {};
    return typeof item.role === "string" ? readMessage(item) : readItem(item);
  });
}

function readMessage(item: Fields): Entry {
  const { role, content, id, tool_call_id, is_error } = item;
  if (role === "assistant") {
    const text = textOf(content);
    const words: Part[] = text === "" ? [] : [{ type: "text", text, key: textual(id) }];
    const calls = Array.isArray(item.tool_calls) ? item.tool_calls.flatMap(readToolCall) : [];
    const parts = [...readReasoning(item.reasoning_content, item.reasoning), ...words, ...calls];
    return { item, isModel: true, isWholeAnswer: item.type === undefined, parts };
  }
  const flag = is_error === true && { isError: true };
  const results: Part[] =
    role === "tool" && typeof tool_call_id === "string"
      ? [{ type: "result", id: tool_call_id, output: content, ...flag }]
      : [];
  return hostEntry(item, role === "user" ? [{ type: "user", text: textOf(content) }] : results);
}

/** The reasoning of an answer, from the first of these that has any. The others say the same, or summarise it. */
function readReasoning(...contents: unknown[]): Part[] {
  const text = contents.map(textOf).find((each) => each !== "");
  return text === undefined ? [] : [{ type: "reasoning", text }];
}

function readToolCall(call: (Fields & { readonly function?: Fields; readonly custom?: Fields }) | null): Part[] {
  const { name, arguments: args, input } = call?.function ?? call?.custom ?? {};
  if (call === null || typeof call.id !== "string") return [];
  return [{ type: "call", id: call.id, name: String(name), args: args ?? input, call, canAnswer: true }];
}

function readItem(item: Fields): Entry {
  const { type, output } = item;
  if (typeof type !== "string") return hostEntry(item);
  if (type.endsWith("_output")) {
    // The output of a local shell has the call's id in another field.
    const id = textual(item.call_id) ?? textual(item.id);
    return hostEntry(item, id === undefined ? [] : [{ type: "result", id, output }]);
  }
  if (type === "mcp_approval_response" || type === "item_reference") return hostEntry(item);
  return { item, isModel: true, isWholeAnswer: false, parts: readModelItem(item, type) };
}

function hostEntry(item: Fields, parts: readonly Part[] = []): Entry {
  return { item, isModel: false, isWholeAnswer: false, parts };
}

function readModelItem(item: Fields, type: string): Part[] {
  const id = textual(item.id) ?? "";
  if (type === "mcp_approval_request") return [{ type: "question" }];
  if (type === "compaction") return [{ type, id }];
  if (type === "reasoning") return readReasoning(item.content, item.summary);
  if (typeof item.call_id === "string") {
    const canAnswer = type === "function_call" || type === "custom_tool_call";
    const name = canAnswer ? String(item.name) : type;
    const args = item.arguments ??
      item.input ??
      commandOf(item) ?? { ...item, id: undefined, call_id: undefined, status: undefined };
    return [{ type: "call", id: item.call_id, name, args, call: item, canAnswer }];
  }
  const { error } = item;
  const output = error ?? item.output ?? item.outputs ?? item.results;
  if (!type.endsWith("_call") || output === undefined || output === null) return [];
  const name = textual(item.name) ?? type;
  return [
    {
      type: "past",
      id,
      name,
      args: item.arguments ?? item.code ?? item.queries,
      output,
      isError: "error" in item ? Boolean(error) : undefined,
    },
  ];
}

/** The arguments of a shell call, as other shell tools name them. Its commands run one after the other. */
function commandOf({ type, action }: Fields): object | undefined {
  const { commands, command, ...rest } = (action ?? {}) as { readonly commands?: unknown; readonly command?: unknown };
  if (type === "local_shell_call") return { command, ...rest };
  return type === "shell_call" && Array.isArray(commands) ? { command: commands.join("\n"), ...rest } : undefined;
}

/** The text of a message, which is a string or a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: { text?: unknown } | null) => textual(part?.text) ?? "")
    .join("\n")
    .trim();
}

function textual(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A result in Chat Completions. */
export interface ToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** A result in Responses. */
export interface CallOutput {
  type: "function_call_output" | "custom_tool_call_output";
  call_id: string;
  output: string;
}

/** The result of a call that was not run, in the wire format of the call. */
export function answerTo({ id, call }: CallPart, text: string): ToolMessage | CallOutput {
  const { type } = call;
  if (type !== "function_call" && type !== "custom_tool_call") return { role: "tool", tool_call_id: id, content: text };
  return { type: `${type}_output`, call_id: id, output: text };
}

/** A result with words appended; undefined if the format has no room for them. The item itself is not changed. */
export function withWords(item: Fields, words: string): object | undefined {
  if (item.role === "tool") {
    const content = appendWords(item.content, words);
    return content === undefined ? undefined : { ...item, content };
  }
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return undefined;
  const output = appendWords(item.output, words, (text) => ({ type: "input_text", text }));
  return output === undefined ? undefined : { ...item, output };
}

/** Words as a message, if no result can carry them. A message is valid whenever no call is open. */
export function messageOf(words: string): { role: "user"; content: string } {
  return { role: "user", content: words };
}

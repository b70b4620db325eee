/** What an item of a conversation holds for the guard, whichever of the two wire formats it is in. */
export type Part =
  | { readonly type: "user"; readonly text: string }
  | { readonly type: "text"; readonly text: string; readonly key: string | undefined }
  | { readonly type: "reasoning"; readonly text: string }
  /** A call that the caller answers. `canAnswer`: with text, so that it can be blocked. */
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      readonly args: unknown;
      readonly call: Fields;
      readonly canAnswer: boolean;
    }
  | { readonly type: "result"; readonly id: string; readonly output: unknown }
  /** A call that the provider ran. */
  | {
      readonly type: "past";
      readonly id: string;
      readonly name: string;
      readonly args: unknown;
      readonly output: unknown;
      readonly isError: boolean;
    }
  | { readonly type: "compaction"; readonly id: string }
  /** A question to the caller that is no call: hosted MCP asks for approval. */
  | { readonly type: "question" };

export type CallPart = Extract<Part, { type: "call" }>;
export type ResultPart = Extract<Part, { type: "result" }>;

/** An item, with who wrote it: the model, or whoever answers it. */
export interface Entry {
  readonly item: Fields;
  readonly isModel: boolean;
  /** Whether it is an answer of the model's by itself, as in Chat Completions; in Responses an answer is several items. */
  readonly isWholeAnswer: boolean;
  readonly parts: readonly Part[];
}

/** The fields of messages and items that are read here, all of them written by somebody else. */
export interface Fields {
  readonly type?: unknown;
  readonly role?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  /** Two names that servers of Chat Completions have for what the model thinks. */
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
}

/** Reads a list of Chat Completions messages or of Responses items. */
export function readItems(items: readonly unknown[]): Entry[] {
  return items.map((value) => {
    const item: Fields = typeof value === "object" && value !== null ? value : {};
    return typeof item.role === "string" ? readMessage(item) : readItem(item);
  });
}

function readMessage(item: Fields): Entry {
  const { role, content, id, tool_call_id } = item;
  if (role === "assistant") {
    const text = textOf(content);
    const words: Part[] = text === "" ? [] : [{ type: "text", text, key: textual(id) }];
    const calls = Array.isArray(item.tool_calls) ? item.tool_calls.flatMap(readToolCall) : [];
    const parts = [...readThoughts(item.reasoning_content, item.reasoning), ...words, ...calls];
    return { item, isModel: true, isWholeAnswer: item.type === undefined, parts };
  }
  const results: Part[] =
    role === "tool" && typeof tool_call_id === "string" ? [{ type: "result", id: tool_call_id, output: content }] : [];
  return hostEntry(item, role === "user" ? [{ type: "user", text: textOf(content) }] : results);
}

/** The thoughts of an answer, in the first of these that has any: the others say the same, or sum it up. */
function readThoughts(...contents: unknown[]): Part[] {
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
    // The output of a local shell has the call's id under another name.
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
  if (type === "reasoning") return readThoughts(item.content, item.summary);
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
    { type: "past", id, name, args: item.arguments ?? item.code ?? item.queries, output, isError: Boolean(error) },
  ];
}

/** The arguments of a shell call, in the words of other shell tools. Its commands run one after the other. */
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

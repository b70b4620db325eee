import { eventStream, type ModelTurn, type Wire } from "../model-turn.ts";

/** OpenAI's Responses. */
export const responses: Wire = {
  base: "/v1",
  read: ["instructions", "input", "tools"],
  isTurn: (path) => /\/responses(?:\?|$)/.test(path),
  answer(turn, number, isStream) {
    const output = itemsOf(turn, number);
    const response = { id: `response-${number}`, object: "response", created_at: 1, model: "scripted" };
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    const completed = { ...response, status: "completed", output, usage };
    if (!isStream) return JSON.stringify(completed);
    const events = [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
      ...output.flatMap(streamed),
      { type: "response.completed", response: completed },
    ];
    return eventStream(events, true);
  },
};

interface Item {
  readonly type: string;
  readonly id: string;
  readonly content?: readonly { readonly text: string }[];
  readonly arguments?: string;
}

function itemsOf({ text, calls = [] }: ModelTurn, number: number): Item[] {
  const status = "completed";
  const content = [{ type: "output_text", text: text ?? "", annotations: [] }];
  const words = { type: "message", id: `message-${number}`, role: "assistant", status, content };
  const uses = calls.map(({ tool, args }, at) => ({
    type: "function_call",
    id: `item_${number}_${at}`,
    call_id: `call_${number}_${at}`,
    name: tool,
    arguments: JSON.stringify(args),
    status,
  }));
  return [...(text === undefined ? [] : [words]), ...uses];
}

/** An item as it begins, what is added to it, and the whole. */
function streamed(item: Item, output_index: number): object[] {
  const { type, id: item_id, content = [] } = item;
  const isMessage = type === "message";
  const empty = { ...item, status: "in_progress", ...(isMessage ? { content: [] } : { arguments: "" }) };
  const delta = isMessage
    ? { type: "response.output_text.delta", content_index: 0, delta: content[0]?.text }
    : { type: "response.function_call_arguments.delta", delta: item.arguments };
  return [
    { type: "response.output_item.added", output_index, item: empty },
    { ...delta, item_id, output_index },
    { type: "response.output_item.done", output_index, item },
  ];
}

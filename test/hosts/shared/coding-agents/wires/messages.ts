import { eventStream, hasTools, type ModelTurn, type Wire } from "../model-turn.ts";

/** Anthropic's Messages. */
export const messages: Wire = {
  base: "",
  read: ["system", "messages", "tools"],
  // The server knows the tools of a thread that goes on.
  isTurn: (path, body) =>
    /^\/v1\/messages(?:\?|$)/.test(path) &&
    (hasTools(body) || JSON.stringify(body.thread ?? null).includes("continue")),
  answer(turn, number, isStream) {
    const content = contentOf(turn, number);
    const stop_reason = turn.calls?.length ? "tool_use" : "end_turn";
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `message-${number}`, type: "message", role: "assistant", model: "scripted", usage };
    if (!isStream) return JSON.stringify({ ...message, content, stop_reason, stop_sequence: null });
    const events = [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      ...content.flatMap((block, index) => [
        {
          type: "content_block_start",
          index,
          content_block: block.type === "text" ? { type: "text", text: "" } : { ...block, input: {} },
        },
        { type: "content_block_delta", index, delta: deltaOf(block) },
        { type: "content_block_stop", index },
      ]),
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ];
    return eventStream(events, true);
  },
};

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly input?: object;
}

function contentOf({ text, calls = [] }: ModelTurn, number: number): Block[] {
  const words = text === undefined && calls.length > 0 ? [] : [{ type: "text", text: text ?? "{}" }];
  const uses = calls.map(({ tool, args }, at) => ({
    type: "tool_use",
    id: `toolu_${number}_${at}`,
    name: tool,
    input: args,
  }));
  return [...words, ...uses];
}

function deltaOf({ type, text, input }: Block): object {
  return type === "text"
    ? { type: "text_delta", text }
    : { type: "input_json_delta", partial_json: JSON.stringify(input) };
}

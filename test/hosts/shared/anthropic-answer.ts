import { eventStream } from "./coding-agents/model-turn.ts";

/** A block of a message. */
export interface Block {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly signature?: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: unknown;
  readonly tool_use_id?: string;
  readonly content?: unknown;
}

export type Answer = ReturnType<typeof answerWith>;

/** An answer of the Messages API. */
export function answerWith(content: readonly Block[], id: string, model = "scripted") {
  const isAsking = content.some(({ type }) => type.endsWith("tool_use"));
  const usage = { input_tokens: 1, output_tokens: 1 };
  const about = { id, type: "message", role: "assistant", model, usage };
  return { ...about, content, stop_reason: isAsking ? "tool_use" : "end_turn", stop_sequence: null };
}

/** The same in a stream. */
export function streamed({ content, stop_reason, ...rest }: Answer): string {
  const events = [
    { type: "message_start", message: { ...rest, content: [], stop_reason: null } },
    ...content.flatMap(streamedBlock),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  return eventStream(events, true);
}

function streamedBlock(block: Block, index: number): object[] {
  const { empty, deltas } = piecesOf(block);
  return [
    { type: "content_block_start", index, content_block: empty },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** A block as it begins, and what is added to it, in pieces that end anywhere. */
function piecesOf(block: Block): { readonly empty: Block; readonly deltas: readonly object[] } {
  const { type, text, thinking, signature, input } = block;
  const inPieces = (words: string, kind: string, field: string): object[] =>
    (words.match(/.{1,50}/gs) ?? []).map((piece) => ({ type: kind, [field]: piece }));
  if (text !== undefined) return { empty: { type, text: "" }, deltas: inPieces(text, "text_delta", "text") };
  if (thinking !== undefined) {
    const deltas = [...inPieces(thinking, "thinking_delta", "thinking"), { type: "signature_delta", signature }];
    return { empty: { type, thinking: "", signature: "" }, deltas };
  }
  if (input === undefined) return { empty: block, deltas: [] };
  return {
    empty: { ...block, input: {} },
    deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(input) }],
  };
}

import { eventStream, type Wire } from "../model-turn.ts";

/** OpenAI's Responses, as a stream. */
export const responses: Wire = {
  base: "/v1",
  read: ["instructions", "input", "tools"],
  isTurn: (path) => /\/responses(?:\?|$)/.test(path),
  answer({ text, calls = [] }, number) {
    const words = {
      type: "message",
      id: `message-${number}`,
      role: "assistant",
      content: [{ type: "output_text", text }],
    };
    const output = [
      ...(text === undefined ? [] : [words]),
      ...calls.map(({ tool, args }, at) => ({
        type: "function_call",
        id: `item_${number}_${at}`,
        call_id: `call_${number}_${at}`,
        name: tool,
        arguments: JSON.stringify(args),
      })),
    ];
    const response = { id: `response-${number}`, object: "response", status: "in_progress", output: [] };
    const usage = {
      input_tokens: 1,
      input_tokens_details: null,
      output_tokens: 1,
      output_tokens_details: null,
      total_tokens: 2,
    };
    const events = [
      { type: "response.created", response },
      ...output.flatMap((item, output_index) => [
        { type: "response.output_item.added", output_index, item },
        { type: "response.output_item.done", output_index, item },
      ]),
      { type: "response.completed", response: { ...response, status: "completed", output, usage } },
    ];
    return eventStream(events, true);
  },
};

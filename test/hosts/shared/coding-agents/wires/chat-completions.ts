import { eventStream, hasTools, type Wire } from "../model-turn.ts";

/** OpenAI's Chat Completions. */
export const chatCompletions: Wire = {
  base: "/v1",
  read: ["messages", "tools"],
  isTurn: (path, body) => path.includes("/chat/completions") && hasTools(body),
  answer({ text = "", calls = [] }, number, isStream) {
    const tool_calls = calls.map(({ tool, args }, index) => ({
      index,
      id: `call_${number}_${index}`,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(args) },
    }));
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    const message = { role: "assistant", content: text, ...(calls.length > 0 && { tool_calls }) };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const base = { id: `answer-${number}`, created: 1, model: "scripted" };
    if (!isStream)
      return JSON.stringify({
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason }],
        usage,
      });
    const chunk = { ...base, object: "chat.completion.chunk" };
    const events = [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
      { ...chunk, choices: [], usage },
    ];
    return `${eventStream(events, false)}data: [DONE]\n\n`;
  },
};

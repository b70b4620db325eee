import Anthropic from "@anthropic-ai/sdk";
import { askModel } from "doomloop/opinion";
import { asksThrough } from "../shared/judge-server.ts";

asksThrough("a client of Anthropic", {
  path: "/v1/messages",
  ask: (url, limits) => askModel(new Anthropic({ apiKey: "none", baseURL: url }), "judge-1", limits),
  answer: (text) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "judge-1",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  read({ model, system, messages, max_tokens: maxTokens }) {
    const [{ text }] = system as [Anthropic.TextBlockParam];
    const [{ content }] = messages as [Anthropic.MessageParam];
    return { model, maxTokens, system: text, message: content };
  },
});

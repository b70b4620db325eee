import { askModel } from "doomloop/opinion";
import OpenAI from "openai";
import { asksThrough } from "../shared/judge-server.ts";

asksThrough("a client of OpenAI", {
  path: "/v1/chat/completions",
  ask: (url, limits) => askModel(new OpenAI({ apiKey: "none", baseURL: `${url}/v1` }), "judge-1", limits),
  answer: (content) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "judge-1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
  }),
  read({ model, messages, max_completion_tokens: maxTokens }) {
    const [system, user] = messages as OpenAI.Chat.ChatCompletionMessageParam[];
    return {
      model,
      maxTokens,
      [system!.role]: system!.content,
      ...(user!.role === "user" && { message: user!.content }),
    };
  },
});

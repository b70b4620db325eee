import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { MockLanguageModelV4 } from "ai/test";
import { createGuard } from "doomloop";
import { askModel, guardWith } from "doomloop/opinion";
import { describe, expect, it } from "vitest";
import { asksThrough } from "../shared/judge-server.ts";
import { packages } from "./ai-packages.ts";

asksThrough("a model of the AI SDK", {
  path: "/v1/chat/completions",
  ask: (url, limits) =>
    askModel(createOpenAICompatible({ name: "judge", baseURL: `${url}/v1` }).chatModel("judge-1"), limits),
  answer: (content) => ({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "judge-1",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  read({ model, messages, max_tokens: maxTokens }) {
    const [system, user] = messages as { role: string; content: unknown }[];
    return {
      model,
      maxTokens,
      [system!.role]: system!.content,
      ...(user!.role === "user" && { message: user!.content }),
    };
  },
});

describe.each(packages)("askModel with a model of ai $major", (ai) => {
  it("asks in two messages, and reads the text", async () => {
    const prompts: unknown[] = [];
    const model = ai.model(({ prompt }) => {
      prompts.push(prompt);
      return { content: [{ type: "text", text: '{"verdict":"working","since":null}' }], hasCalls: false };
    });
    const guard = guardWith(askModel(model as MockLanguageModelV4), createGuard);
    for (let page = 0; page < 10; page++) {
      guard.observe({ type: "call", tool: "read_page", args: { page } });
      guard.observe({ type: "result", output: "This page is blank." });
    }
    await expect.poll(() => guard.stats().opinions.working).toBe(1);

    expect(prompts).toEqual([
      [
        { role: "system", content: expect.any(String) },
        { role: "user", content: [{ type: "text", text: expect.stringContaining("This page is blank.") }] },
      ],
    ]);
  });
});

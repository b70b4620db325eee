import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { guard, loopStop } from "doomloop/ai-sdk";

// Stands in for your model, so that no key is needed. It reads the same file over and over.
const call = { type: "tool-call", toolName: "read_file", input: '{"path":"src/login.ts"}' } as const;
const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const outputTokens = { total: 1, text: 1, reasoning: 0 };
let calls = 0;
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    for (const part of prompt.at(-1)?.content ?? []) {
      if (typeof part === "object" && part.type === "tool-result" && "value" in part.output)
        console.log("the model reads:", part.output.value);
    }
    return {
      content: [{ ...call, toolCallId: `call-${++calls}` }],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage: { inputTokens, outputTokens },
      warnings: [],
    };
  },
});
const inputSchema = jsonSchema<{ path: string }>({ type: "object", properties: { path: { type: "string" } } });
const read_file = tool({ inputSchema, execute: async () => "export const login = () => {};" });

// The one line: tools and step limit go through `guard`.
const settings = guard({ tools: { read_file }, stopWhen: isStepCount(30) });
const result = await generateText({ model, prompt: "Fix the login bug.", ...settings });

console.log(`Ended after ${result.steps.length} of 30 steps. ${loopStop(result)?.explanation}`);

import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { guarded, loopStop } from "doomloop/ai-sdk";

// Stands in for your model, so that no key is needed. It asks for the same search again and again.
const call = { type: "tool-call", toolName: "search", input: '{"query":"login bug"}' } as const;
const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const outputTokens = { total: 1, text: 1, reasoning: 0 };
let calls = 0;
const model = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ ...call, toolCallId: `call-${++calls}` }],
    finishReason: { unified: "tool-calls", raw: undefined },
    usage: { inputTokens, outputTokens },
    warnings: [],
  }),
});
const inputSchema = jsonSchema<{ query: string }>({ type: "object", properties: { query: { type: "string" } } });
const search = tool({ inputSchema, execute: async () => "No results found." });

// The one line: tools and step limit go through `guarded`.
const settings = guarded({ tools: { search }, stopWhen: isStepCount(30) });
const result = await generateText({ model, prompt: "Fix the login bug.", ...settings });

for (const { output } of result.steps.flatMap(({ toolResults }) => toolResults))
  console.log("the model reads:", output);
console.log(`Ended after ${result.steps.length} of 30 steps. ${loopStop(result)?.explanation}`);

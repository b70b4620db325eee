/**
 * An agent of the AI SDK whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { guarded, loopStop } from "doomloop/ai-sdk";

let requests = 0;

/** The "model" asks for the same search again and again. */
const model = new MockLanguageModelV4({
  async doGenerate({ prompt }) {
    requests++;
    const read = prompt.findLast(({ role }) => role === "tool")?.content.at(-1);
    if (typeof read === "object" && read.type === "tool-result" && "value" in read.output) {
      console.log(`   the model reads: ${String(read.output.value).replaceAll("\n", "\n      ")}`);
    }
    console.log(`${requests}. the model calls search("login bug")`);
    return {
      content: [
        { type: "tool-call", toolCallId: `call-${requests}`, toolName: "search", input: '{"query":"login bug"}' },
      ],
      finishReason: { unified: "tool-calls", raw: undefined },
      usage: {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
      },
      warnings: [],
    };
  },
});

const search = tool({
  description: "Searches the code.",
  inputSchema: jsonSchema<{ query: string }>({
    type: "object",
    properties: { query: { type: "string" } },
    required: ["query"],
  }),
  execute: async () => "No results found.",
});

// The one line: tools and step limit go through `guarded`.
const settings = guarded({ tools: { search }, stopWhen: isStepCount(30) });
const result = await generateText({ model, prompt: "Fix the login bug.", ...settings });
const stop = loopStop(result);

console.log(`\nThe run ended after ${result.steps.length} of 30 steps: ${stop?.explanation}`);
if (stop === undefined) process.exitCode = 1;

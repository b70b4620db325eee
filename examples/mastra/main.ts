/**
 * An agent of Mastra whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { MockLanguageModelV3 } from "ai/test";
import { guarded } from "doomloop/mastra";
import { z } from "zod";

let requests = 0;

/** The "model" asks for the same search again and again. */
const stubborn = new MockLanguageModelV3({
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

// Mastra's types do not take the mock of the AI SDK, with or without the guard.
const model = stubborn as unknown as MastraModelConfig;

const search = createTool({
  id: "search",
  description: "Searches the code.",
  inputSchema: z.object({ query: z.string() }),
  execute: async () => "No results found.",
});

// The one line: the configuration of the agent goes through `guarded`.
const agent = new Agent(guarded({ id: "fixer", name: "fixer", instructions: "Fix bugs.", model, tools: { search } }));
const { steps, tripwire } = await agent.generate("Fix the login bug.", { maxSteps: 30 });

console.log(`\nThe run ended after ${steps.length} of 30 steps: ${tripwire?.reason}`);
if (tripwire === undefined) process.exitCode = 1;

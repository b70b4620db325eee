/**
 * A Mastra agent whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { Agent } from "@mastra/core/agent";
import type { MastraModelConfig } from "@mastra/core/llm";
import { createTool } from "@mastra/core/tools";
import { MockLanguageModelV3 } from "ai/test";
import { guard, loopStop } from "doomloop/mastra";
import { z } from "zod";

let requests = 0;

/** The "model" reads the same file over and over. */
const stubborn = new MockLanguageModelV3({
  async doGenerate({ prompt }) {
    requests++;
    const read = prompt.findLast(({ role }) => role === "tool")?.content.at(-1);
    if (typeof read === "object" && read.type === "tool-result" && "value" in read.output) {
      console.log(`   the model reads: ${String(read.output.value).replaceAll("\n", "\n      ")}`);
    }
    console.log(`${requests}. the model calls read_file("src/login.ts")`);
    return {
      content: [
        { type: "tool-call", toolCallId: `call-${requests}`, toolName: "read_file", input: '{"path":"src/login.ts"}' },
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

// Mastra's types do not accept the AI SDK's mock, with or without the guard.
const model = stubborn as unknown as MastraModelConfig;

const read_file = createTool({
  id: "read_file",
  description: "Reads a file.",
  inputSchema: z.object({ path: z.string() }),
  execute: async () => "export const login = () => {};",
});

// The one line: the configuration of the agent goes through `guard`.
const agent = new Agent(guard({ id: "fixer", name: "fixer", instructions: "Fix bugs.", model, tools: { read_file } }));
const result = await agent.generate("Fix the login bug.", { maxSteps: 30 });

const stop = loopStop(result);
console.log(`\nThe run ended after ${result.steps.length} of 30 steps: ${stop?.explanation}`);
if (stop === undefined) process.exitCode = 1;

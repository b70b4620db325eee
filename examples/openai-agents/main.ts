/**
 * An OpenAI Agents SDK agent whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { Agent, type Model, run, setTracingDisabled, tool, Usage } from "@openai/agents";
import { guard, loopStop } from "doomloop/openai-agents";
import { z } from "zod";

setTracingDisabled(true);
let requests = 0;

/** The "model" reads the same file over and over. */
const model: Model = {
  async getResponse({ input }) {
    requests++;
    const read = typeof input === "string" ? undefined : input.findLast(({ type }) => type === "function_call_result");
    if (read?.type === "function_call_result" && typeof read.output === "object" && "text" in read.output) {
      console.log(`   the model reads: ${read.output.text.replaceAll("\n", "\n      ")}`);
    }
    console.log(`${requests}. the model calls read_file("src/login.ts")`);
    return {
      output: [
        {
          type: "function_call",
          callId: `call-${requests}`,
          name: "read_file",
          arguments: '{"path":"src/login.ts"}',
          status: "completed",
        },
      ],
      usage: new Usage(),
    };
  },
  // biome-ignore lint/correctness/useYield: this run is not streamed.
  async *getStreamedResponse() {
    throw new Error("this run is not streamed");
  },
};

const readFile = tool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute: async () => "export const login = () => {};",
});

// The one line: the agent goes through `guard`.
const agent = guard(new Agent({ name: "Fixer", instructions: "Fix bugs.", model, tools: [readFile] }));

const result = await run(agent, "Fix the login bug.", { maxTurns: 30 });

const stop = loopStop(result);
console.log(`\nThe run ended after ${result.rawResponses.length} of 30 turns. ${stop?.explanation}`);
if (stop === undefined) process.exitCode = 1;

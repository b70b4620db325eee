// #region one-line
import { Agent, run, tool } from "@openai/agents";
import { guard, loopStop } from "doomloop/openai-agents";
import { z } from "zod";

const search = tool({
  name: "search",
  description: "Searches the handbook.",
  parameters: z.object({ query: z.string() }),
  execute: async ({ query }) => `Nothing found for "${query}".`,
});

const agent = guard(new Agent({ name: "Helper", instructions: "Answer from the handbook.", tools: [search] }));
const result = await run(agent, "How do I reset my password?", { maxTurns: 30 });

const stop = loopStop(result);
console.log(stop?.explanation ?? result.finalOutput);
// #endregion one-line

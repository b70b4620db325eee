// #region one-line
import { guard, loopStop } from "doomloop/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";

const search = tool(async ({ query }) => `Nothing found for "${query}".`, {
  name: "search",
  description: "Searches the handbook.",
  schema: z.object({ query: z.string() }),
});

const agent = createAgent(guard({ model: "openai:gpt-5", tools: [search] }));
const result = await agent.invoke({ messages: "How do I reset my password?" });

const stop = loopStop(result);
console.log(stop?.explanation ?? result.messages.at(-1)?.text);
// #endregion one-line

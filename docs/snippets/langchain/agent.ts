import { readFile } from "node:fs/promises";
import { guard, loopStop } from "doomloop/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";

const read_file = tool(({ path }) => readFile(path, "utf8"), {
  name: "read_file",
  description: "Reads a file.",
  schema: z.object({ path: z.string() }),
});

const agent = createAgent(guard({ model: "openai:gpt-5.6-luna", tools: [read_file] }));
const input = { messages: "Which packages does package.json list?" };
const result = await agent.invoke(input, { recursionLimit: 100 });

const stop = loopStop(result);
console.log(stop ? stop.explanation : result.messages.at(-1)?.text);

import { readFile } from "node:fs/promises";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { guard, loopStop } from "doomloop/mastra";
import { z } from "zod";

const read_file = createTool({
  id: "read_file",
  description: "Reads a file.",
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => readFile(path, "utf8"),
});

const about = { id: "reader", name: "Reader", instructions: "Answer from files." };
const agent = new Agent(guard({ ...about, model: "openai/gpt-5.6-luna", tools: { read_file } }));
const result = await agent.generate("Which packages does package.json list?", { maxSteps: 50 });

const stop = loopStop(result);
console.log(stop ? stop.explanation : result.text);

import { readFile } from "node:fs/promises";
import { Agent, run, tool } from "@openai/agents";
import { guard, loopStop } from "doomloop/openai-agents";
import { z } from "zod";

const read_file = tool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute: ({ path }) => readFile(path, "utf8"),
});

const agent = guard(new Agent({ name: "Reader", tools: [read_file] }));
const result = await run(agent, "Which packages does package.json list?", { maxTurns: 50 });

const stop = loopStop(result);
console.log(stop ? stop.explanation : result.finalOutput);

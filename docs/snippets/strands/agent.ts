import { readFile } from "node:fs/promises";
import * as strands from "@strands-agents/sdk";
import { OpenAIModel } from "@strands-agents/sdk/models/openai";
import { guard, loopStop } from "doomloop/strands";
import { z } from "zod";

const read_file = strands.tool({
  name: "read_file",
  description: "Reads a file.",
  inputSchema: z.object({ path: z.string() }),
  callback: ({ path }) => readFile(path, "utf8"),
});

const model = new OpenAIModel({ modelId: "gpt-5.6-luna" });
const agent = new strands.Agent(guard({ model, tools: [read_file], printer: false }, { strands }));
const result = await agent.invoke("Which packages does package.json list?");

const stop = loopStop(result);
console.log(stop ? stop.explanation : result.toString());

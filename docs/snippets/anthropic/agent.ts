import { readFile } from "node:fs/promises";
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { guard, loopStop } from "doomloop/anthropic";
import { z } from "zod";

const read_file = betaZodTool({
  name: "read_file",
  description: "Reads a file.",
  inputSchema: z.object({ path: z.string() }),
  run: ({ path }) => readFile(path, "utf8"),
});

const toolRunner = new Anthropic().beta.messages.toolRunner({
  model: "claude-sonnet-5",
  max_tokens: 4096,
  messages: [{ role: "user", content: "Which packages does package.json list?" }],
  tools: [read_file],
});
const runner = guard(toolRunner);
const message = await runner;

const stop = loopStop(runner);
console.log(stop ? stop.explanation : message.content);

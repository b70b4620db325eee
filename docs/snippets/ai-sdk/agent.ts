import { readFile } from "node:fs/promises";
import { openai } from "@ai-sdk/openai";
import { generateText, isStepCount, tool } from "ai";
import { guard, loopStop } from "doomloop/ai-sdk";
import { z } from "zod";

const read_file = tool({
  description: "Reads a file.",
  inputSchema: z.object({ path: z.string() }),
  execute: ({ path }) => readFile(path, "utf8"),
});

const result = await generateText({
  model: openai("gpt-5.6-luna"),
  prompt: "Which packages does package.json list?",
  ...guard({ tools: { read_file }, stopWhen: isStepCount(50) }),
});

const stop = loopStop(result);
console.log(stop ? stop.explanation : result.text);

import { readFile } from "node:fs/promises";
import { FunctionTool, InMemoryRunner, isFinalResponse, LlmAgent, stringifyContent } from "@google/adk";
import { guard, loopStop } from "doomloop/adk";
import { z } from "zod";

const read_file = new FunctionTool({
  name: "read_file",
  description: "Reads a file.",
  parameters: z.object({ path: z.string() }),
  execute: ({ path }) => readFile(path, "utf8"),
});

const agent = new LlmAgent({ name: "reader", model: "gemini-flash-latest", tools: [read_file] });
const runner = new InMemoryRunner(guard({ agent }));
const newMessage = { role: "user", parts: [{ text: "Which packages does package.json list?" }] };

for await (const event of runner.runEphemeral({ userId: "user", newMessage })) {
  const stop = loopStop(event);
  if (stop) console.log(stop.explanation);
  else if (isFinalResponse(event)) console.log(stringifyContent(event));
}

import { readFile } from "node:fs/promises";
import { guard, loopStop } from "doomloop/openai";
import OpenAI from "openai";

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const readFileTool = { name: "read_file", description: "Reads a file.", parameters };
const tools = [{ type: "function" as const, function: readFileTool }];
const prompt = "Which packages does package.json list?";
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];

const client = new OpenAI();
const observe = guard(messages);
while (!observe().isOver) {
  const completion = await client.chat.completions.create({ model: "gpt-5.6-luna", messages, tools });
  messages.push(completion.choices[0]!.message);
  for (const call of observe().calls) {
    if (call.type !== "function") continue;
    const { path } = JSON.parse(call.function.arguments);
    messages.push({ role: "tool", tool_call_id: call.id, content: await readFile(path, "utf8").catch(String) });
  }
}

const stop = loopStop(observe);
console.log(stop ? stop.explanation : messages.at(-1)?.content);

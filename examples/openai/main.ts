/**
 * A loop written by hand over Chat Completions, whose scripted model does not listen, and how it is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { guard, loopStop } from "doomloop/openai";
import OpenAI from "openai";

let requests = 0;

/** The "model" reads the same file over and over. */
const client = new OpenAI({
  apiKey: "none",
  async fetch(_url, init) {
    requests++;
    const { messages } = JSON.parse(String(init?.body)) as { messages: { role: string; content: string }[] };
    const read = messages.findLast(({ role }) => role === "tool");
    if (read) console.log(`   the model reads: ${read.content.replaceAll("\n", "\n      ")}`);
    console.log(`${requests}. the model calls read_file("src/login.ts")`);
    const readFile = { name: "read_file", arguments: '{"path":"src/login.ts"}' };
    const tool_calls = [{ id: `call-${requests}`, type: "function", function: readFile }];
    const message = { role: "assistant", content: null, tool_calls };
    return Response.json({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
  },
});

const readFile = async () => "export const login = () => {};";

const messages: OpenAI.Chat.ChatCompletionMessageParam[] = [{ role: "user", content: "Fix the login bug." }];
const observe = guard(messages);

// Observed before each request: a message for the agent is appended to the latest result.
while (requests < 30 && !observe().isOver) {
  const completion = await client.chat.completions.create({ model: "scripted", messages });
  messages.push(completion.choices[0]!.message);
  // Observed after each answer: returns the calls to run. Blocked ones are answered in the list.
  for (const call of observe().calls) {
    messages.push({ role: "tool", tool_call_id: call.id, content: await readFile() });
  }
}

const stop = loopStop(observe);
console.log(`\nThe run ended after ${requests} of 30 turns: ${stop?.explanation}`);
if (stop === undefined) process.exitCode = 1;

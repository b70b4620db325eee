/**
 * An agent of LangChain whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { type LoopStop, loopGuard } from "doomloop/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";

let requests = 0;
let stopped: LoopStop | undefined;

/** The "model" asks for the same search again and again. */
class StubbornModel extends BaseChatModel {
  override _llmType() {
    return "stubborn";
  }

  override bindTools() {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    requests++;
    const read = messages.at(-1);
    if (read?.type === "tool") console.log(`   the model reads: ${read.text.replaceAll("\n", "\n      ")}`);
    console.log(`${requests}. the model calls search("login bug")`);
    const call = { id: `call-${requests}`, name: "search", args: { query: "login bug" } };
    return { generations: [{ text: "", message: new AIMessage({ content: "", tool_calls: [call] }) }] };
  }
}

const search = tool(async () => "No results found.", {
  name: "search",
  description: "Searches the code.",
  schema: z.object({ query: z.string() }),
});

const agent = createAgent({
  model: new StubbornModel({}),
  tools: [search],
  // The one line.
  middleware: [loopGuard({ onStop: (stop) => (stopped = stop) })],
});
const { messages } = await agent.invoke({ messages: "Fix the login bug." });

console.log(`\nThe run ended after ${requests} requests: ${stopped?.explanation}`);
console.log(`The last message: ${messages.at(-1)?.text}`);
if (stopped === undefined) process.exitCode = 1;

/**
 * An agent of LangChain whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { loopGuard, loopStop } from "doomloop/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";

let requests = 0;

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
  middleware: [loopGuard()],
});
const result = await agent.invoke({ messages: "Fix the login bug." });
const stop = loopStop(result);

console.log(`\nThe run ended after ${requests} requests. The last message: ${result.messages.at(-1)?.text}`);
console.log(`For the program: ${stop?.status}, ${stop?.kind} of ${stop?.tool}, ${stop?.count} times`);
if (stop === undefined) process.exitCode = 1;

/**
 * A LangChain agent whose scripted model does not listen, and how its loop is broken. Runs offline.
 *
 * `npm install` in this folder, then `node main.ts`.
 */
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";
import { guard, loopStop } from "doomloop/langchain";
import { createAgent, tool } from "langchain";
import { z } from "zod";

let requests = 0;

/** The "model" reads the same file over and over. */
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
    console.log(`${requests}. the model calls read_file("src/login.ts")`);
    const call = { id: `call-${requests}`, name: "read_file", args: { path: "src/login.ts" } };
    return { generations: [{ text: "", message: new AIMessage({ content: "", tool_calls: [call] }) }] };
  }
}

const readFile = tool(async () => "export const login = () => {};", {
  name: "read_file",
  description: "Reads a file.",
  schema: z.object({ path: z.string() }),
});

// The one line: the configuration of the agent goes through `guard`.
const agent = createAgent(guard({ model: new StubbornModel({}), tools: [readFile] }));
// LangGraph's own limit of 25 steps, two for each request, would come before the guard has to end the run.
const result = await agent.invoke({ messages: "Fix the login bug." }, { recursionLimit: 60 });
const stop = loopStop(result);

console.log(`\nThe run ended after ${requests} requests. The last message: ${result.messages.at(-1)?.text}`);
console.log(`For the program: ${stop?.status}, ${stop?.kind} of ${stop?.tool}, ${stop?.count} times`);
if (stop === undefined) process.exitCode = 1;

import { deserialize, serialize } from "node:v8";
import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { loopStop } from "doomloop/langchain";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { agentOf, anyTool, onThread, runWith } from "./run-agent.ts";

/** The checkpointer stores the thread after each round of tool calls. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const checkpointer = new MemorySaver();
  if (stored !== undefined) Object.assign(checkpointer, deserialize(Buffer.from(String(stored), "base64")));
  const read = anyTool(tool.name, tool.run);
  const agent = agentOf([read], options, { checkpointer, interruptAfter: ["tools"] });
  const input = stored === undefined ? { messages: [new HumanMessage("Where is it?")] } : null;
  const { messages, prompts } = await runWith(agent, script, { ...onThread("run"), interruptAfter: ["tools"] }, input);
  const { storage, writes } = checkpointer;
  const stop = loopStop({ messages });
  const state = serialize({ storage, writes }).toString("base64");
  return { state, requests: prompts, isOver: stop !== undefined, stop };
};

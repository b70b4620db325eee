import type { BaseMessage } from "@langchain/core/messages";
import type { ReactAgent } from "langchain";

declare const agent: ReactAgent;
declare function handToHuman(...why: unknown[]): void;
declare function answer(text: string | undefined): void;

// #region stopped
import { loopStop } from "doomloop/langchain";

export async function reply(messages: BaseMessage[]) {
  const result = await agent.invoke({ messages });
  const stop = loopStop(result);
  if (stop) return handToHuman(stop.explanation, stop.tool);
  return answer(result.messages.at(-1)?.text);
}
// #endregion stopped

import type { BaseAgent, InMemoryRunner as Runner } from "@google/adk";

declare const agent: BaseAgent;
declare const userId: string;
declare const sessionId: string;
declare const newMessage: Parameters<Runner["runAsync"]>[0]["newMessage"];

// #region guard
import { InMemoryRunner } from "@google/adk";
import { guard, loopStop } from "doomloop/adk";

const runner = new InMemoryRunner(guard({ agent, appName: "support" }));

for await (const event of runner.runAsync({ userId, sessionId, newMessage })) {
  const stop = loopStop(event);
  if (stop) console.warn(stop.explanation); // "Stopped: the agent called `search` 5 times ..."
}
// #endregion guard

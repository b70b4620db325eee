import type { InMemoryRunner } from "@google/adk";

declare const runner: InMemoryRunner;
declare const userId: string;
declare const sessionId: string;
declare const newMessage: Parameters<InMemoryRunner["runAsync"]>[0]["newMessage"];
declare function escalate(...why: unknown[]): Promise<void>;

// #region stopped
import { loopStop } from "doomloop/adk";

for await (const event of runner.runAsync({ userId, sessionId, newMessage })) {
  const stop = loopStop(event);
  if (stop) await escalate(stop.explanation, stop.tool, stop.count);
}
// #endregion stopped

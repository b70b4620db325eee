declare const prompt: string;

// #region guard
import { query } from "@anthropic-ai/claude-agent-sdk";
import { guard, loopStop } from "doomloop/claude-agent-sdk";

const options = guard({ allowedTools: ["Bash"] });

for await (const message of query({ prompt, options })) {
  if (message.type !== "result") continue;
  const stop = loopStop(message);
  if (stop) console.warn(stop.explanation); // "Stopped: the agent called `Bash` 5 times ..."
}
// #endregion guard

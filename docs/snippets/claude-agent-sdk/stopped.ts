import { query } from "@anthropic-ai/claude-agent-sdk";
import { loopHooks } from "doomloop/claude-agent-sdk";

declare const prompt: string;

// #region stopped
const guard = loopHooks();
for await (const message of query({ prompt, options: { hooks: guard } })) {
  if (message.type !== "result") continue;
  const stop = guard.stopped(message.session_id); // undefined if the session was not stopped
  // "Stopped: the agent called `Bash` 4 times with the same arguments and got the same result each time."
  if (stop) console.warn(stop.explanation);
}
// #endregion stopped

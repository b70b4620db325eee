declare const prompt: string;

// #region one-line
import { query } from "@anthropic-ai/claude-agent-sdk";
import { loopHooks } from "doomloop/claude-agent-sdk";

for await (const message of query({ prompt, options: { hooks: loopHooks() } })) {
  console.log(message.type); // as before
}
// #endregion one-line

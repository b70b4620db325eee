import type Anthropic from "@anthropic-ai/sdk";

declare const client: Anthropic;
declare const model: string;
declare const max_tokens: number;
declare const messages: Anthropic.Beta.BetaMessageParam[];
declare const tools: Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0]["tools"];

// #region one-line
import { guardRunner } from "doomloop/anthropic";

const runner = guardRunner(client.beta.messages.toolRunner({ model, max_tokens, messages, tools }));
const message = await runner;
// #endregion one-line

console.log(message);

// #region stopped
if (runner.stopped) {
  const { tool, count, explanation } = runner.stopped;
  // "Stopped: the agent called `search` 9 times with the same arguments and got the same result each time."
  console.warn(tool, count, explanation);
}
// #endregion stopped

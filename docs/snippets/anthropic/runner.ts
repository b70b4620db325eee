import type Anthropic from "@anthropic-ai/sdk";

declare const client: Anthropic;
declare const model: string;
declare const max_tokens: number;
declare const messages: Anthropic.Beta.BetaMessageParam[];
declare const tools: Parameters<Anthropic["beta"]["messages"]["toolRunner"]>[0]["tools"];

// #region one-line
import { guard, loopStop } from "doomloop/anthropic";

const runner = guard(client.beta.messages.toolRunner({ model, max_tokens, messages, tools }));
const message = await runner;
const stop = loopStop(runner);
console.log(stop ? stop.explanation : message.content);
// #endregion one-line

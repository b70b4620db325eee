import type Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaRunnableToolset } from "@anthropic-ai/sdk/lib/tools/BetaRunnableToolset";
import type { SessionToolRunnerOptions } from "@anthropic-ai/sdk/lib/tools/SessionToolRunner";
import { type Conversation, guard, type LoopStop, loopStop } from "doomloop/anthropic";
import { expectTypeOf } from "vitest";
import { z } from "zod";

declare const client: Anthropic;
declare const toolset: BetaRunnableToolset;
declare const message: Anthropic.Message;
declare const call: Anthropic.ToolUseBlock;
declare const answer: Anthropic.ToolResultBlockParam;

const base = { model: "m", max_tokens: 1, messages: [] };
const tool = betaZodTool({
  name: "search",
  description: "",
  inputSchema: z.object({ query: z.string() }),
  run: ({ query }) => query,
});

/** A guarded runner is the runner that it was: what it gives out is what it gave out without us. */
export async function runners(): Promise<void> {
  const tools = guard([tool, toolset, { type: "web_search_20250305", name: "web_search" }]);
  const whole = client.beta.messages.toolRunner({ ...base, tools });
  expectTypeOf(guard(whole)).toEqualTypeOf<typeof whole>();
  expectTypeOf(loopStop(whole)).toEqualTypeOf<LoopStop | undefined>();
  expectTypeOf(await guard(whole)).toEqualTypeOf<Anthropic.Beta.BetaMessage>();
  const streaming = guard(client.beta.messages.toolRunner({ ...base, tools: [tool], stream: true }));
  for await (const stream of streaming)
    expectTypeOf(await stream.finalMessage()).toExtend<Anthropic.Beta.BetaMessage>();
  expectTypeOf(guard([tool])).toEqualTypeOf<(typeof tool)[]>();
  expectTypeOf(guard([tool])).toExtend<SessionToolRunnerOptions["tools"]>();
  // @ts-expect-error: the client is no runner.
  guard(client);
  // @ts-expect-error: tools end no run, so there is nothing to ask them.
  loopStop(guard([tool]));
}

/** What a hand-written loop gives in and gets back is the package's own. */
export async function loops(
  messages: Anthropic.MessageParam[],
  beta: Anthropic.Beta.BetaMessageParam[],
): Promise<void> {
  const conversation = guard(messages, { onStop: ({ message }) => expectTypeOf(message).toEqualTypeOf<string>() });
  expectTypeOf(conversation).toEqualTypeOf<Conversation>();
  expectTypeOf(guard(beta)).toEqualTypeOf<Conversation>();
  expectTypeOf(guard([])).toEqualTypeOf<Conversation>();
  expectTypeOf(loopStop(conversation)).toEqualTypeOf<LoopStop | undefined>();
  conversation.message(message);
  const result = await conversation.call(call, () => answer);
  expectTypeOf(result).toExtend<Anthropic.ToolResultBlockParam>();
  await client.messages.create({ ...base, messages: [{ role: "user", content: [result] }] });
  // @ts-expect-error: a call is answered with a result block, not with text.
  await conversation.call(call, () => "text");
  // @ts-expect-error: options alone are nothing to guard.
  guard({ preset: "balanced" });
}

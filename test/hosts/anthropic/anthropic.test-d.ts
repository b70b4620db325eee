import type Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaRunnableToolset } from "@anthropic-ai/sdk/lib/tools/BetaRunnableToolset";
import type { SessionToolRunnerOptions } from "@anthropic-ai/sdk/lib/tools/SessionToolRunner";
import { guardMessages, guardRunner, guardTools, type LoopStop } from "doomloop/anthropic";
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
  const tools = guardTools([tool, toolset, { type: "web_search_20250305", name: "web_search" }]);
  const whole = client.beta.messages.toolRunner({ ...base, tools });
  expectTypeOf(guardRunner(whole)).toExtend<typeof whole>();
  expectTypeOf(guardRunner(whole).stopped).toEqualTypeOf<LoopStop | undefined>();
  expectTypeOf(await guardRunner(whole)).toEqualTypeOf<Anthropic.Beta.BetaMessage>();
  const streaming = guardRunner(client.beta.messages.toolRunner({ ...base, tools: [tool], stream: true }));
  for await (const stream of streaming)
    expectTypeOf(await stream.finalMessage()).toExtend<Anthropic.Beta.BetaMessage>();
  expectTypeOf(guardTools([tool])).toEqualTypeOf<(typeof tool)[]>();
  expectTypeOf(guardTools([tool])).toExtend<SessionToolRunnerOptions["tools"]>();
  // @ts-expect-error: the client is no runner.
  guardRunner(client);
}

/** What a hand-written loop gives in and gets back is the package's own. */
export async function loops(): Promise<void> {
  const guard = guardMessages();
  guard.message(message);
  const result = await guard.call(call, () => answer);
  expectTypeOf(result).toExtend<Anthropic.ToolResultBlockParam>();
  await client.messages.create({ ...base, messages: [{ role: "user", content: [result] }] });
  // @ts-expect-error: a call is answered with a result block, not with text.
  await guard.call(call, () => "text");
}

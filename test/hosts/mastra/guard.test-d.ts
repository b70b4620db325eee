import { Agent } from "@mastra/core/agent";
import { MockMemory } from "@mastra/core/memory";
import type { ProcessLLMRequestArgs, ProcessLLMResponseArgs } from "@mastra/core/processors";
import { createTool, type ToolHookContext, type ToolHooks } from "@mastra/core/tools";
import { guard, type LoopStop, loopStop } from "doomloop/mastra";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type {
  HookContext,
  RequestArgs,
  ResponseArgs,
  ToolHooksLike,
} from "../../../packages/doomloop/src/adapters/mastra/config.ts";

/** What the adapter reads is there in the real types. */
expectTypeOf<ToolHookContext>().toExtend<HookContext>();
expectTypeOf<ToolHooks>().toExtend<ToolHooksLike>();
expectTypeOf<ProcessLLMResponseArgs>().toExtend<ResponseArgs>();
expectTypeOf<Omit<ProcessLLMRequestArgs, "prompt">>().toExtend<Omit<RequestArgs, "prompt">>();
expectTypeOf<ProcessLLMRequestArgs["prompt"][number]["role"]>().toExtend<RequestArgs["prompt"][number]["role"]>();

/** A result in a prompt has the fields that words are put behind. */
type ToolParts = Extract<ProcessLLMRequestArgs["prompt"][number], { role: "tool" }>["content"][number];
type ResultPart = Extract<ToolParts, { type: "tool-result" }>;
expectTypeOf<ResultPart["toolCallId"]>().toEqualTypeOf<string>();
expectTypeOf<ResultPart["output"]["type"]>().toExtend<string>();

/** The agent is what it is without the guard, to the type checker too. */
export async function inferred(): Promise<void> {
  const search = createTool({
    id: "search",
    description: "",
    inputSchema: z.object({ query: z.string() }),
    execute: async () => ({ found: 0 }),
  });
  const agent = new Agent(guard({ id: "a", name: "a", instructions: "", model: "a/b", tools: { search } }));
  const bare = new Agent({ id: "a", name: "a", instructions: "", model: "a/b", tools: { search } });
  expectTypeOf(await agent.generate("")).toEqualTypeOf(await bare.generate(""));
  expectTypeOf((await agent.generate("")).tripwire?.processorId).toEqualTypeOf<string | undefined>();
  expectTypeOf((await agent.generate("")).tripwire?.metadata).toEqualTypeOf<unknown>();
  expectTypeOf((await agent.stream("")).tripwire?.metadata).toEqualTypeOf<unknown>();
  expectTypeOf(loopStop(await agent.generate(""))).toEqualTypeOf<LoopStop | undefined>();
  expectTypeOf(loopStop(await agent.stream(""))).toEqualTypeOf<LoopStop | undefined>();
  expectTypeOf(await agent.listTools()).toEqualTypeOf(await bare.listTools());

  const counting = { id: "counting", processInputStep: () => undefined } as const;
  const hooks: ToolHooks = { beforeToolCall: () => {} };
  const config = { id: "a", name: "a", instructions: "", model: "a/b" };
  new Agent(guard({ ...config, hooks, inputProcessors: [counting] }));
  new Agent(guard({ ...config, inputProcessors: async () => [counting] }));
  new Agent(guard({ ...config, agents: { bare }, memory: new MockMemory() }));
  new Agent(guard({ ...config, agents: () => ({ bare }), memory: () => new MockMemory() }));
  // @ts-expect-error: a ladder has rungs.
  guard(config, { ladder: "stop" });
}

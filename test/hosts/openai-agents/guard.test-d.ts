import {
  Agent,
  type AgentInputItem,
  type FunctionTool,
  handoff,
  type RunState,
  type ToolInputGuardrailDefinition,
  type ToolOutputGuardrailDefinition,
  type ToolUseBehavior,
} from "@openai/agents";
import { type GuardedAgentOptions, guard, type LoopStop, loopStop } from "doomloop/openai-agents";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type {
  AgentLike,
  FinalOutput,
  GuardrailAnswer,
  GuardrailData,
  ItemLike,
  ToolLike,
  ToolUseBehavior as ToolUseBehaviorLike,
} from "../../../packages/doomloop/src/adapters/openai-agents/agent.ts";

interface Account {
  readonly id: string;
}

declare const state: RunState<Account, Agent<Account>>;

/** An agent is what it was to the type checker: its context, its output, its handoffs. */
export function keepsItsType(): void {
  const plain = new Agent({ name: "plain" });
  expectTypeOf(guard(plain)).toEqualTypeOf(plain);
  const typed = new Agent<Account, z.ZodObject<{ answer: z.ZodString }>>({
    name: "typed",
    outputType: z.object({ answer: z.string() }),
  });
  expectTypeOf(guard(typed, { finalOutput: ({ explanation }) => explanation })).toEqualTypeOf(typed);
  const created = Agent.create({ name: "created", handoffs: [plain, handoff(plain)] });
  expectTypeOf(guard(created)).toEqualTypeOf(created);
  expectTypeOf<Agent<Account>>().toExtend<AgentLike>();
  guard(plain, { onStop: (stop) => expectTypeOf(stop).toEqualTypeOf<LoopStop>() });
  expectTypeOf(loopStop).returns.toEqualTypeOf<LoopStop | undefined>();
  const options: GuardedAgentOptions = { exitBehavior: "error" };
  expectTypeOf(guard(plain, options)).toEqualTypeOf(plain);
  expectTypeOf(guard(state)).toEqualTypeOf<RunState<Account, Agent<Account>>>();
  // @ts-expect-error: the options are those of the agent.
  guard(state, options);
  // @ts-expect-error: an agent is required.
  guard({ name: "agent" });
  // @ts-expect-error: one of two words is required.
  guard(plain, { exitBehavior: "throw" });
}

/** What is read and written here is what the host has there. */
export function readsWhatIsThere(): void {
  expectTypeOf<FunctionTool<Account>>().toExtend<ToolLike>();
  expectTypeOf<Extract<AgentInputItem, { type: "function_call" | "function_call_result" }>>().toExtend<ItemLike>();
  expectTypeOf<Parameters<ToolInputGuardrailDefinition["run"]>[0]>().toExtend<GuardrailData>();
  expectTypeOf<Parameters<ToolOutputGuardrailDefinition["run"]>[0]>().toExtend<GuardrailData>();
  expectTypeOf<GuardrailAnswer>().toExtend<Awaited<ReturnType<ToolInputGuardrailDefinition["run"]>>>();
  expectTypeOf<GuardrailAnswer>().toExtend<Awaited<ReturnType<ToolOutputGuardrailDefinition["run"]>>>();
  expectTypeOf<Exclude<ToolUseBehavior, (...words: never) => unknown>>().toExtend<ToolUseBehaviorLike>();
  type Ask = Extract<ToolUseBehavior, (...words: never) => unknown>;
  expectTypeOf<FinalOutput>().toExtend<Awaited<ReturnType<Ask>>>();
  expectTypeOf<Parameters<Ask>>().toExtend<Parameters<Extract<ToolUseBehaviorLike, (...words: never) => unknown>>>();
}

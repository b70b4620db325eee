import {
  type BasePlugin,
  type Context,
  type Event,
  type InvocationContext,
  LlmAgent,
  type LlmResponse,
  Runner,
  type RunnerConfig,
} from "@google/adk";
import { type LoopGuardPlugin, type LoopStop, loopGuard, loopStop } from "doomloop/adk";
import { expectTypeOf } from "vitest";

declare const config: RunnerConfig;

/** A plugin of ours is one of ADK's, without its base class. */
export function takenAsPlugin(): void {
  const agent = new LlmAgent({ name: "agent" });
  new Runner({ ...config, agent, plugins: [loopGuard()] });
  expectTypeOf<LoopGuardPlugin>().toExtend<BasePlugin>();
  expectTypeOf<Event>().toExtend<Parameters<typeof loopStop>[0]>();
  expectTypeOf(loopStop).returns.toEqualTypeOf<LoopStop | undefined>();
  // @ts-expect-error: an option of another library.
  loopGuard({ maxSteps: 5 });
}

type Given<Name extends keyof LoopGuardPlugin> = LoopGuardPlugin[Name] extends (parameters: infer Parameters) => unknown
  ? Parameters
  : never;
type Answer<Name extends keyof LoopGuardPlugin> = LoopGuardPlugin[Name] extends (
  ...parameters: never[]
) => Promise<infer Value>
  ? Value
  : never;

/** What we read is there in what ADK passes. Methods are compared loosely in TypeScript, so each is held by itself. */
export function readsWhatIsThere(): void {
  expectTypeOf<Parameters<BasePlugin["beforeToolCallback"]>[0]>().toExtend<Given<"beforeToolCallback">>();
  expectTypeOf<Parameters<BasePlugin["onToolErrorCallback"]>[0]>().toExtend<Given<"onToolErrorCallback">>();
  expectTypeOf<{ callbackContext: Context }>().toExtend<Given<"beforeModelCallback">>();
  expectTypeOf<{ callbackContext: Context; llmResponse: LlmResponse }>().toExtend<Given<"afterModelCallback">>();
  expectTypeOf<{ invocationContext: InvocationContext; event: Event }>().toExtend<Given<"onEventCallback">>();
  expectTypeOf<{ invocationContext: InvocationContext }>().toExtend<Given<"afterContextCompaction">>();
  expectTypeOf<NonNullable<Answer<"beforeModelCallback">>>().toExtend<LlmResponse>();
}

import {
  App,
  type BasePlugin,
  type Context,
  type Event,
  InMemoryRunner,
  type InvocationContext,
  LlmAgent,
  type LlmResponse,
  Runner,
  type RunnerConfig,
} from "@google/adk";
import { guard, type LoopStop, loopStop } from "doomloop/adk";
import { expectTypeOf } from "vitest";
import type { AdkPlugin } from "../../../packages/doomloop/src/adapters/adk/plugin.ts";

declare const config: RunnerConfig;
declare const plugin: BasePlugin;

/** A guarded configuration is what it was, and our plugin is one of ADK's, without its base class. */
export function takenAsConfiguration(): void {
  const agent = new LlmAgent({ name: "agent" });
  new InMemoryRunner(guard({ agent, appName: "app" }));
  new InMemoryRunner(guard({ agent, plugins: [plugin] }, { attended: true }));
  new Runner(guard({ ...config, agent }));
  new App(guard({ name: "app", rootAgent: agent }));
  expectTypeOf(guard(config)).toEqualTypeOf<RunnerConfig>();
  expectTypeOf<AdkPlugin>().toExtend<BasePlugin>();
  // @ts-expect-error: the agent is a part of the configuration.
  new InMemoryRunner(guard(agent));
  expectTypeOf<Event>().toExtend<Parameters<typeof loopStop>[0]>();
  expectTypeOf(loopStop).returns.toEqualTypeOf<LoopStop | undefined>();
  // @ts-expect-error: an option of another library.
  guard(config, { maxSteps: 5 });
}

type Given<Name extends keyof AdkPlugin> = AdkPlugin[Name] extends (parameters: infer Parameters) => unknown
  ? Parameters
  : never;
type Answer<Name extends keyof AdkPlugin> = AdkPlugin[Name] extends (...parameters: never[]) => Promise<infer Value>
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

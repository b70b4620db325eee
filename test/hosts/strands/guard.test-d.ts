import type * as strands from "@strands-agents/sdk";
import {
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  Agent,
  type AgentConfig,
  type AgentResult,
  BeforeModelCallEvent,
  BeforeToolCallEvent,
  MessageAddedEvent,
  type Plugin,
  Swarm,
  TextBlock,
  ToolResultBlock,
} from "@strands-agents/sdk";
import type * as multiagent from "@strands-agents/sdk/multiagent";
import { guard, type LoopStop, loopStop } from "doomloop/strands";
import { expectTypeOf } from "vitest";
import type { StrandsPlugin } from "../../../packages/doomloop/src/adapters/strands/guard.ts";
import type { ResultLike } from "../../../packages/doomloop/src/adapters/strands/hooks.ts";
import type { StrandsPackage } from "../../../packages/doomloop/src/adapters/strands/strands-package.ts";

declare const config: AgentConfig;
declare const plugin: Plugin;
declare const wholePackage: typeof strands;

/** A guarded configuration is what it was. The package as a whole, or its few classes, make a plugin of Strands. */
export function takenAsConfiguration(): void {
  expectTypeOf<typeof strands>().toExtend<StrandsPackage>();
  expectTypeOf<typeof strands & typeof multiagent>().toExtend<Required<StrandsPackage>>();
  expectTypeOf<StrandsPlugin>().toExtend<Plugin>();
  expectTypeOf<StrandsPlugin>().toExtend<multiagent.MultiAgentPlugin>();
  expectTypeOf(guard(config, { strands: wholePackage })).toEqualTypeOf<AgentConfig>();
  new Agent(guard({ ...config, plugins: [plugin] }, { strands: wholePackage, attended: true }));
  new Swarm(guard({ nodes: [new Agent(config)], maxSteps: 5 }, { strands: wholePackage }));
  const modelEvents = { MessageAddedEvent, BeforeModelCallEvent, AfterModelCallEvent };
  const events = { ...modelEvents, BeforeToolCallEvent, AfterToolCallEvent, AfterToolsEvent };
  guard(config, { strands: { ...events, TextBlock, ToolResultBlock } });
  // @ts-expect-error: the blocks are needed as well.
  guard(config, { strands: events });
  // @ts-expect-error: the package is needed.
  guard(config);
  // @ts-expect-error: an option of another library.
  guard(config, { strands: wholePackage, maxSteps: 5 });
}

/** Both kinds of results have a stop. */
export function readsResults(): void {
  expectTypeOf<AgentResult>().toExtend<ResultLike>();
  expectTypeOf<multiagent.MultiAgentResult>().toExtend<ResultLike>();
  expectTypeOf(loopStop).returns.toEqualTypeOf<LoopStop | undefined>();
}

type Read<Name extends keyof StrandsPackage> = InstanceType<NonNullable<StrandsPackage[Name]>>;

/** What we write fits what Strands reads. What we read is held by the first line above: a class extends ours if its objects do. */
export function writesWhatFits(): void {
  expectTypeOf<Read<"BeforeToolCallEvent">["cancel"]>().toEqualTypeOf<BeforeToolCallEvent["cancel"]>();
  expectTypeOf<Read<"BeforeNodeCallEvent">["cancel"]>().toEqualTypeOf<multiagent.BeforeNodeCallEvent["cancel"]>();
  expectTypeOf<string>().toExtend<AfterToolsEvent["endTurn"]>();
  expectTypeOf<ConstructorParameters<typeof TextBlock>>().toEqualTypeOf<
    ConstructorParameters<StrandsPackage["TextBlock"]>
  >();
  expectTypeOf<ToolResultBlock>().toExtend<AfterToolCallEvent["result"]>();
  expectTypeOf<false>().toExtend<AfterToolsEvent["endTurn"]>();
}

import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { type GuardedAgentOptions, type GuardedToolNode, guard, type LoopStop, loopStop } from "doomloop/langchain";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  providerStrategy,
  type Runtime,
  tool,
  toolStrategy,
} from "langchain";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { RuntimeLike } from "../../../packages/doomloop/src/adapters/langchain/identify-run.ts";
import type { MarkedMessage } from "../../../packages/doomloop/src/adapters/langchain/loop-stop.ts";
import type { MessageLike } from "../../../packages/doomloop/src/adapters/langchain/messages.ts";
import type { Middleware } from "../../../packages/doomloop/src/adapters/langchain/middleware.ts";

declare const tools: StructuredToolInterface[];

/** What the adapter reads is there in the real classes. */
expectTypeOf<BaseMessage>().toExtend<MessageLike>();
expectTypeOf<AIMessage>().toExtend<MessageLike>();
expectTypeOf<ToolMessage>().toExtend<MessageLike>();
expectTypeOf<BaseMessage>().toExtend<MarkedMessage>();
expectTypeOf<Runtime>().toExtend<RuntimeLike>();
expectTypeOf<Middleware>().toExtend<AgentMiddleware>();
type ModelRequest = Parameters<NonNullable<AgentMiddleware["wrapModelCall"]>>[0];
expectTypeOf<ModelRequest["messages"]>().toExtend<readonly MessageLike[]>();
expectTypeOf<ModelRequest["state"]["messages"]>().toExtend<readonly MessageLike[]>();
expectTypeOf<ModelRequest["runtime"]>().toExtend<RuntimeLike>();

const model = "a:b";
const found = z.object({ found: z.number() });
const search = tool(({ query }) => query, { name: "search", description: "", schema: z.object({ query: z.string() }) });
const fetchPage = tool(({ page }) => page, { name: "fetch", description: "", schema: z.object({ page: z.number() }) });
const stateSchema = z.object({ count: z.number().default(0) });
const counting = createMiddleware({ name: "counting", stateSchema, tools: [fetchPage] });
const contextSchema = z.object({ user: z.string() });
const knowing = createMiddleware({ name: "knowing", contextSchema });

/** The agent is what it is without the guard, to the type checker too. */
export function inferred(): void {
  expectTypeOf(createAgent(guard({ model }))).toEqualTypeOf(createAgent({ model }));
  expectTypeOf(createAgent(guard({ model, tools: [] }))).toEqualTypeOf(createAgent({ model, tools: [] }));
  expectTypeOf(createAgent(guard({ model, tools }))).toEqualTypeOf(createAgent({ model, tools }));
  expectTypeOf(createAgent(guard({ model, tools: [search, fetchPage] }))).toEqualTypeOf(
    createAgent({ model, tools: [search, fetchPage] }),
  );
  expectTypeOf(createAgent(guard({ model, tools: [search], middleware: [counting, knowing] }))).toEqualTypeOf(
    createAgent({ model, tools: [search], middleware: [counting, knowing] }),
  );
  expectTypeOf(createAgent(guard({ model, contextSchema, stateSchema, version: "v1" }))).toEqualTypeOf(
    createAgent({ model, contextSchema, stateSchema, version: "v1" }),
  );
  const config = { model, tools: [search], middleware: [counting] };
  expectTypeOf(createAgent(guard(config))).toEqualTypeOf(createAgent(config));
}

/** Structured responses keep their types, whatever form the schema has. */
export function structured(): void {
  const formats = {
    zod: createAgent(guard({ model, tools: [search], responseFormat: found, middleware: [counting] })),
    tool: createAgent(guard({ model, responseFormat: toolStrategy(found) })),
    provider: createAgent(guard({ model, responseFormat: providerStrategy(found) })),
    json: createAgent(
      guard({ model, responseFormat: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } }),
    ),
    jsons: createAgent(guard({ model, responseFormat: [{ type: "object", required: ["n"] }] })),
    zods: createAgent(guard({ model, responseFormat: [found, z.object({ lost: z.number() })] })),
  };
  expectTypeOf(formats.zod).toEqualTypeOf(
    createAgent({ model, tools: [search], responseFormat: found, middleware: [counting] }),
  );
  expectTypeOf(formats.tool).toEqualTypeOf(createAgent({ model, responseFormat: toolStrategy(found) }));
  expectTypeOf(formats.provider).toEqualTypeOf(createAgent({ model, responseFormat: providerStrategy(found) }));
  expectTypeOf(formats.json).toEqualTypeOf(createAgent({ model, responseFormat: { type: "object" } }));
  expectTypeOf(formats.jsons).toEqualTypeOf(createAgent({ model, responseFormat: [{ type: "object" }] }));
  // LangChain alone makes `never` of this one.
  expectTypeOf<Awaited<ReturnType<typeof formats.zods.invoke>>["structuredResponse"]>().toEqualTypeOf<
    { found: number } | { lost: number }
  >();
}

export async function read(): Promise<void> {
  const agent = createAgent(guard({ model, tools, responseFormat: found, middleware: [counting] }));
  const result = await agent.invoke({ messages: "go" });
  expectTypeOf(result.structuredResponse).toEqualTypeOf<{ found: number }>();
  expectTypeOf(result.count).toEqualTypeOf<number>();
  expectTypeOf(loopStop(result)).toEqualTypeOf<LoopStop | undefined>();
  loopStop(result.messages);
  loopStop(result.messages.at(-1));
  // @ts-expect-error: a run that is still going on has no result yet.
  loopStop(agent.invoke({ messages: "go" }));
  await agent.invoke({ messages: "go" }).catch((error: unknown) => loopStop(error));
  await agent.invoke({ messages: "go" }).catch((error) => loopStop(error));
}

export function wrong(): void {
  const options: GuardedAgentOptions = { exitBehavior: "error" };
  guard({ model }, options);
  // @ts-expect-error: as in the host's own limits.
  guard({ model }, { exitBehavior: "throw" });
  // @ts-expect-error: a ladder has rungs.
  guard({ model }, { ladder: "stop" });
  // @ts-expect-error: a graph ends by its edges.
  guard(new ToolNode(tools), { exitBehavior: "error" });
  // @ts-expect-error: the configuration is guarded, not the agent.
  guard(createAgent({ model }));
  // @ts-expect-error: an agent has a model.
  guard({ tools });
}

export function graphs(): void {
  const guarded = guard(new ToolNode(tools));
  expectTypeOf(guarded).toExtend<GuardedToolNode<never, unknown>>();
  new StateGraph(MessagesAnnotation)
    .addNode("agent", () => ({ messages: [] }))
    .addNode("tools", guarded)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addConditionalEdges("tools", guarded.orEnd("agent"), ["agent", END])
    .compile();
}

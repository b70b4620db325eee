import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { guardToolNode, type LoopGuard, type LoopStop, loopGuard, loopStop } from "doomloop/langchain";
import { type AgentMiddleware, createAgent, createMiddleware, type Runtime } from "langchain";
import { expectTypeOf } from "vitest";
import { z } from "zod";
import type { RuntimeLike } from "../../../packages/doomloop/src/adapters/langchain/identify-run.ts";
import type { MarkedMessage } from "../../../packages/doomloop/src/adapters/langchain/loop-stop.ts";
import type { MessageLike } from "../../../packages/doomloop/src/adapters/langchain/messages.ts";

declare const tools: StructuredToolInterface[];

/** What the adapter reads is there in the real classes. */
expectTypeOf<BaseMessage>().toExtend<MessageLike>();
expectTypeOf<AIMessage>().toExtend<MessageLike>();
expectTypeOf<ToolMessage>().toExtend<MessageLike>();
expectTypeOf<BaseMessage>().toExtend<MarkedMessage>();
expectTypeOf<Runtime>().toExtend<RuntimeLike>();
expectTypeOf<LoopGuard>().toExtend<AgentMiddleware>();
type ModelRequest = Parameters<NonNullable<AgentMiddleware["wrapModelCall"]>>[0];
expectTypeOf<ModelRequest["messages"]>().toExtend<readonly MessageLike[]>();
expectTypeOf<ModelRequest["state"]["messages"]>().toExtend<readonly MessageLike[]>();
expectTypeOf<ModelRequest["runtime"]>().toExtend<RuntimeLike>();

/** The agent is what it is without the guard, to the type checker too. */
export async function inferred(): Promise<void> {
  const counting = createMiddleware({ name: "counting", stateSchema: z.object({ count: z.number().default(0) }) });
  const responseFormat = z.object({ found: z.number() });
  const bare = await createAgent({ model: "a:b", tools, responseFormat, middleware: [counting] }).invoke({
    messages: "",
  });
  const guarded = createAgent({ model: "a:b", tools, responseFormat, middleware: [loopGuard(), counting] });
  const result = await guarded.invoke({ messages: "go" });
  expectTypeOf(result.structuredResponse).toEqualTypeOf(bare.structuredResponse);
  expectTypeOf(result.structuredResponse).toEqualTypeOf<{ found: number }>();
  expectTypeOf(result.messages).toEqualTypeOf(bare.messages);
  expectTypeOf(result.count).toEqualTypeOf<number>();
  expectTypeOf(loopStop(result)).toEqualTypeOf<LoopStop | undefined>();
  loopStop(result.messages);
  loopStop(result.messages.at(-1));
  // @ts-expect-error: a run that is still going on has no result yet.
  loopStop(guarded.invoke({ messages: "go" }));
  // @ts-expect-error: as in the host's own limits.
  loopGuard({ exitBehavior: "throw" });
  // @ts-expect-error: a ladder has rungs.
  loopGuard({ ladder: "stop" });
}

export function graphs(): void {
  const guarded = guardToolNode(new ToolNode(tools));
  new StateGraph(MessagesAnnotation)
    .addNode("agent", () => ({ messages: [] }))
    .addNode("tools", guarded)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addConditionalEdges("tools", guarded.orEnd("agent"), ["agent", END])
    .compile();
}

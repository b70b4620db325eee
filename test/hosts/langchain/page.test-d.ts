import type { BaseMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { guardToolNode, isLoopStopError, loopGuard, loopStop } from "doomloop/langchain";
import { createAgent } from "langchain";

/** What the page leaves to its reader. The rest is the page's own, line by line: `page.test.ts` sees to that. */
declare const model: string;
declare const tools: StructuredToolInterface[];
declare const search: StructuredToolInterface;
declare const messages: BaseMessage[];
declare const callModel: () => { messages: BaseMessage[] };
declare const report: () => { messages: BaseMessage[] };
declare const graph: { invoke(input: object): Promise<typeof MessagesAnnotation.State> };
declare function handToHuman(explanation: string, tool: string | undefined): string;
declare function answer(text: string | undefined): string;

export async function guarded() {
  const agent = createAgent({ model, tools, middleware: [loopGuard()] });
  await agent.invoke({ messages });
  const result = await agent.invoke({ messages });
  const stop = loopStop(result);
  if (stop) return handToHuman(stop.explanation, stop.tool);
  return answer(result.messages.at(-1)?.text);
}

export async function rejected() {
  const agent = createAgent({ model, tools, middleware: [loopGuard({ exitBehavior: "error" })] });
  const failure = await agent.invoke({ messages }).catch((error: unknown) => error);
  if (isLoopStopError(failure)) handToHuman(failure.stop.explanation, failure.stop.tool);
}

export function ofGraph() {
  const tools = guardToolNode(new ToolNode([search]));
  new StateGraph(MessagesAnnotation)
    .addNode("agent", callModel)
    .addNode("tools", tools)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addConditionalEdges("tools", tools.orEnd("agent"), ["agent", END]);
  return tools;
}

export function ofReportingGraph() {
  const tools = guardToolNode(new ToolNode([search]));
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", callModel)
    .addNode("tools", tools)
    .addNode("report", report)
    .addConditionalEdges("tools", tools.orEnd("agent"), { agent: "agent", [END]: "report" });
}

export async function shown() {
  const result = await graph.invoke({ messages });
  const shown = loopStop(result)?.explanation ?? result.messages.at(-1)?.text;
  return shown;
}

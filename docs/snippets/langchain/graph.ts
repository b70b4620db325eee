import type { StructuredToolInterface } from "@langchain/core/tools";

declare const search: StructuredToolInterface;
declare function callModel(state: typeof MessagesAnnotation.State): Promise<typeof MessagesAnnotation.Update>;

// #region graph
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { guard } from "doomloop/langchain";

const tools = guard(new ToolNode([search]));

const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", callModel)
  .addNode("tools", tools)
  .addEdge(START, "agent")
  .addConditionalEdges("agent", toolsCondition, ["tools", END])
  .addConditionalEdges("tools", tools.orEnd("agent"), ["agent", END]);

// #endregion graph

export { graph };

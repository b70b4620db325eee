import type { StructuredToolInterface } from "@langchain/core/tools";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { guardToolNode, loopStop } from "doomloop/langchain";

type Node = (state: typeof MessagesAnnotation.State) => Promise<typeof MessagesAnnotation.Update>;
declare const callModel: Node;
declare const writeReport: Node;
declare const search: StructuredToolInterface;
declare const result: typeof MessagesAnnotation.State;

const tools = guardToolNode(new ToolNode([search]));

// #region shown
const shown = loopStop(result)?.explanation ?? result.messages.at(-1)?.text;
// #endregion shown

// #region report-node
const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", callModel)
  .addNode("tools", tools)
  .addNode("report", writeReport)
  .addEdge(START, "agent")
  .addConditionalEdges("tools", tools.orEnd("agent"), { agent: "agent", [END]: "report" });

// #endregion report-node

export { graph, shown };

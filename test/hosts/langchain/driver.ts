import { randomUUID } from "node:crypto";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { guard, type HostOptions, loopStop } from "doomloop/langchain";
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware } from "langchain";
import type { AdapterDriver, ScriptedTool, WiredHost } from "../../contracts/adapter-driver.ts";
import { reportOfScript } from "../shared/report-of.ts";
import { ScriptedModel, visibleMessage } from "./scripted-model.ts";

export interface DriverSettings {
  /** Whether each run is a thread of a checkpointer. */
  readonly hasThreads: boolean;
}

/** What both kinds of graph have. */
interface Graph {
  invoke(input: object, config: object): Promise<object>;
  stream(input: object, config: object): Promise<AsyncIterable<[string, unknown]>>;
}

/** Drives an agent of `createAgent`. */
export function createAgentDriver(settings: DriverSettings): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "clean" },
    wire(tools, options) {
      const asking = tools.filter(({ needsApproval }) => needsApproval).map(({ name }) => [name, true] as const);
      const hasThreads = settings.hasThreads || asking.length > 0;
      const human = humanInTheLoopMiddleware({ interruptOn: Object.fromEntries(asking) } as never);
      const config = {
        model: new ScriptedModel(),
        tools: tools.map((scripted) => toolOf(scripted)) as never[],
        ...(asking.length > 0 && { middleware: [human as AgentMiddleware] }),
        ...(hasThreads && { checkpointer: new MemorySaver() }),
      };
      const agent = createAgent(options === undefined ? config : guard(config, options));
      return wired(agent as unknown as Graph, hasThreads);
    },
  };
}

/** The test of guarded nodes shows it on a node without the guard. */
const DROPS = "a ToolNode does not run a call whose id an earlier result of the conversation has";

/** Drives a graph with a bare `ToolNode`. Its tools ask the human by themselves. */
export function createGraphDriver(settings: DriverSettings): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "clean" },
    lacks: { "repeated-ids": DROPS, "empty-ids": DROPS },
    wire(tools, options) {
      const hasThreads = settings.hasThreads || tools.some(({ needsApproval }) => needsApproval);
      return wired(graphOf(tools, options, hasThreads), hasThreads);
    },
  };
}

function graphOf(tools: readonly ScriptedTool[], options: HostOptions | undefined, hasThreads: boolean): Graph {
  const made = tools.map((scripted) => toolOf(scripted, true));
  const model = new ScriptedModel().bindTools(made);
  const node = new ToolNode(made.filter((each) => "invoke" in each) as never);
  const guarded = options === undefined ? undefined : guard(node, options);
  return new StateGraph(MessagesAnnotation)
    .addNode("agent", async ({ messages }) => ({ messages: [(await model.invoke(messages)) as BaseMessage] }))
    .addNode("tools", guarded ?? node)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", toolsCondition, ["tools", END])
    .addConditionalEdges("tools", guarded?.orEnd("agent") ?? (() => "agent" as const), ["agent", END])
    .compile(hasThreads ? { checkpointer: new MemorySaver() } : {}) as unknown as Graph;
}

function toolOf({ name, run, needsApproval, isProviderExecuted }: ScriptedTool, asksItself = false): object {
  if (isProviderExecuted) return { type: "scripted_search", name };
  const schema = { type: "object", properties: {}, additionalProperties: true } as const;
  const execute = (args: unknown) => {
    const isRejected = needsApproval && asksItself && interrupt({ name, args }) !== undefined;
    return isRejected ? "The user does not want this." : run(args);
  };
  return tool(execute, { name, description: name, schema });
}

function wired(graph: Graph, hasThreads: boolean): WiredHost {
  return {
    run(script, { isStreaming = false, hasDefaultLimits = false, signal, isRejected = false } = {}) {
      const limits = { ...(!hasDefaultLimits && { recursionLimit: 100 }), ...(signal && { signal }) };
      const config = { ...limits, ...(hasThreads && { configurable: { thread_id: randomUUID() } }) };
      const input = { messages: [new HumanMessage("Where is it?")] };
      const invoke = isStreaming ? streamed : isRejected ? rejected : invoked;
      return reportOfScript(script, () => invoke(graph, input, config));
    },
  };
}

interface State {
  readonly messages: readonly BaseMessage[];
  readonly __interrupt__?: readonly object[];
}

async function invoked(graph: Graph, input: object, config: object) {
  const state = (await graph.invoke(input, config)) as State;
  const { messages, __interrupt__, ...rest } = state;
  const outcome = { messages: messages.map(visibleMessage), rest };
  return { outcome, approvals: __interrupt__?.length ?? 0, ...endOf(state) };
}

async function rejected(graph: Graph, input: object, config: object) {
  let end = await invoked(graph, input, config);
  let approvals = end.approvals;
  while (end.approvals > 0) {
    end = await invoked(graph, new Command({ resume: { decisions: [{ type: "reject" }] } }), config);
    approvals += end.approvals;
  }
  return { ...end, approvals };
}

async function streamed(graph: Graph, input: object, config: object) {
  const pieces: object[] = [];
  let state: State = { messages: [] };
  for await (const [mode, value] of await graph.stream(input, { ...config, streamMode: ["messages", "values"] })) {
    if (mode === "values") state = value as State;
    else pieces.push(visibleMessage((value as [BaseMessage])[0]));
  }
  const outcome = { pieces, messages: state.messages.map(visibleMessage) };
  return { outcome, approvals: 0, ...endOf(state) };
}

/** The last message of an agent is for people. That of a graph may be a result, and its program shows the reason instead. */
function endOf({ messages }: State) {
  const stop = loopStop({ messages });
  const last = messages.at(-1);
  return { stop, answer: last?.type === "ai" ? last.text : stop?.explanation };
}

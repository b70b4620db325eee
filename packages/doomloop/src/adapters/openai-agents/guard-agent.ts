import type { HostOptions, LoopStop } from "../host/host-options.ts";
import { createHostRuns, type HostRuns } from "../host/host-runs.ts";
import { isObject } from "../host/is-object.ts";
import type { AgentLike, GuardrailAnswer, GuardrailData, ToolCallLike, ToolLike } from "./agent.ts";
import { allow, type CallWatch, createCallWatch } from "./call-watch.ts";
import { reachableAgents } from "./reachable-agents.ts";
import { createRunEnd } from "./run-end.ts";

/** Options of a guarded agent: those of a guard, and how a run ends. */
export interface GuardAgentOptions extends HostOptions {
  /**
   * What an ended run gives as its final output. An agent with an `outputType` can be ended only with it: the text must fit the type.
   * @default the words of the stop
   */
  readonly finalOutput?: (stop: LoopStop) => string;
}

/** Agents that are guarded: the first wiring holds. */
const guardedAgents = new WeakSet<object>();

/**
 * Guards an agent and the agents that it can hand off to, and gives the same agent back.
 *
 * Function tools, those of MCP servers included, get one guardrail more, behind their own. Each run has a guard of its own; all
 * agents of a run share it.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function guardAgent<Agent extends AgentLike>(agent: Agent, options: GuardAgentOptions = {}): Agent {
  const { finalOutput, ...hostOptions } = options;
  const agents = reachableAgents(agent);
  const canEnd = finalOutput !== undefined || agents.every(({ outputType }) => outputType === "text");
  const runs = createHostRuns(hostOptions, { nudge: "result", block: true, stop: canEnd ? "answer" : "none" });
  const wiring: Wiring = {
    runs,
    watchOf: watchByContext(runs),
    finalOutputOf: (stop) => finalOutput?.(stop) ?? stop.message,
    handedOff: new WeakSet(),
  };
  for (const reached of agents) {
    if (guardedAgents.has(reached)) continue;
    guardedAgents.add(reached);
    runs.safely(undefined, () => wire(reached, wiring));
  }
  return agent;
}

/** What the agents of one `guardAgent` share. */
interface Wiring {
  readonly runs: HostRuns;
  readonly watchOf: (context: object) => CallWatch;
  readonly finalOutputOf: (stop: LoopStop) => string;
  /** Runs whose next agent starts because another one handed off to it. */
  readonly handedOff: WeakSet<object>;
}

function wire(agent: AgentLike, { runs, watchOf, finalOutputOf, handedOff }: Wiring): void {
  const seen = new WeakSet<object>();
  const end = createRunEnd(agent, (context) =>
    runs.safely(undefined, () => {
      const stop = watchOf(context).run.stopped();
      return stop && finalOutputOf(stop);
    }),
  );

  /** Does something with a run; if that run is to end, its agent is told before it decides whether to go on. */
  const inRun = <Value>(context: object, fallback: Value, act: (watch: CallWatch) => Value): Value =>
    runs.safely(fallback, () => {
      const watch = watchOf(context);
      const value = act(watch);
      if (watch.run.stopped() !== undefined) end.install();
      return value;
    });

  /** A tool may be shared with other agents: theirs are not ours to judge. */
  const guardrail = (type: string, act: (watch: CallWatch, data: GuardrailData) => GuardrailAnswer) => ({
    type,
    name: "doomloop",
    run: async (data: GuardrailData): Promise<GuardrailAnswer> =>
      data.agent === agent ? inRun(data.context, allow(), (watch) => act(watch, data)) : allow(),
  });
  const before = guardrail("tool_input", (watch, { toolCall }) => watch.before(toolCall));
  const after = guardrail("tool_output", (watch, { toolCall, output }) => watch.after(toolCall, output));

  const attach = (tool: ToolLike): void => {
    // Nothing of ours fits the output schema of a tool: its calls are seen when they are over.
    if (tool.type !== "function" || tool.outputSchema !== undefined || seen.has(tool)) return;
    seen.add(tool);
    tool.inputGuardrails = [...(tool.inputGuardrails ?? []), before];
    tool.outputGuardrails = [...(tool.outputGuardrails ?? []), after];
  };
  const attachAll = (tools: readonly { readonly type: string }[]): void => {
    for (const tool of tools) runs.safely(undefined, () => attach(tool));
  };

  attachAll(agent.tools);
  const getAllTools = agent.getAllTools;
  const getGuardedTools: AgentLike["getAllTools"] = async (context, span) => {
    const tools = await getAllTools.call(agent, context, span);
    attachAll(tools);
    // The host asks for the tools before each request to the model.
    if (isObject(context)) inRun(context, undefined, ({ run }) => run.round());
    return tools;
  };
  Object.defineProperty(agent, "getAllTools", { value: getGuardedTools, configurable: true, writable: true });
  agent.on("agent_handoff", (context: object) => void handedOff.add(context));
  agent.on("agent_start", (context: object) => {
    end.remove();
    if (!handedOff.delete(context)) inRun(context, undefined, (watch) => watch.startedAgain());
  });
  agent.on("agent_tool_end", (context: object, tool: ToolLike, text: string, details: { toolCall: ToolCallLike }) => {
    if (tool.type === "function") inRun(context, undefined, (watch) => watch.ended(details.toolCall, text));
  });
}

function watchByContext(runs: HostRuns): (context: object) => CallWatch {
  const watches = new WeakMap<object, CallWatch>();
  return (context) => {
    const watch = watches.get(context) ?? createCallWatch(runs.of(context));
    watches.set(context, watch);
    return watch;
  };
}

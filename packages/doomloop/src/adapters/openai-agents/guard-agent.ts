import { appendToText } from "../../host/append-words.ts";
import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import { createHostRuns, type HostRuns } from "../../host/host-runs.ts";
import { isObject } from "../../host/is-object.ts";
import { DoomloopError } from "../../index.ts";
import type { AgentLike, GuardrailAnswer, GuardrailData, ItemLike, ToolCallLike, ToolLike } from "./agent.ts";
import { askGuardFirst, forgetRefusal, hearRejections, onRejection, refusalIn } from "./approvals.ts";
import { allow, type CallWatch, createCallWatch, type ExitBehavior, replaceWith } from "./call-watch.ts";
import { type FinalOutputSettings, finalOutputOf } from "./final-output.ts";
import { onState } from "./guard-state.ts";
import { endRun, handOff, isLive, runOf, startRun, takeHandedOff } from "./live-runs.ts";
import { reachableAgents } from "./reachable-agents.ts";
import { createRunEnd } from "./run-end.ts";

/** Options of a guarded agent: those of a guard, and how a run ends. */
export interface GuardAgentOptions extends HostOptions {
  /**
   * What becomes of a run that is to end. `"end"`: it ends after the calls of the answer, with a final output. `"error"`: it is rejected
   * at once, with the error that the host has for guardrails; {@link loopStop} reads it.
   * @default "end"
   */
  readonly exitBehavior?: ExitBehavior;
  /**
   * What a run that ends gives as its final output. An agent with an `outputType` can end only with it: the text must fit the type.
   * @default the explanation of the stop
   */
  readonly finalOutput?: (stop: LoopStop) => string;
}

/** Agents that are guarded: the first wiring holds. */
const guardedAgents = new WeakSet<object>();

/**
 * Guards an agent and the agents that it can hand off to, and gives the same agent back.
 *
 * Function tools, those of MCP servers included, get one guardrail more, behind their own. Each run has a guard of its own; all
 * agents of a run share it. An agent that is a tool has runs of its own: guard it too.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function guardAgent<Agent extends AgentLike>(agent: Agent, options: GuardAgentOptions = {}): Agent {
  const { finalOutput, exitBehavior = "end", ...hostOptions } = options;
  if (exitBehavior !== "end" && exitBehavior !== "error")
    throw new DoomloopError(
      "invalid-option",
      `exitBehavior: "end" or "error" is required, got ${String(exitBehavior)}`,
    );
  const agents = reachableAgents(agent);
  const canAnswer = finalOutput !== undefined || agents.every(({ outputType }) => outputType === "text");
  const stop = exitBehavior === "error" ? "clean" : canAnswer ? "answer" : "none";
  const runs = createHostRuns(hostOptions, { nudge: "result", block: true, stop });
  const newWatch = () => createCallWatch(runs.start(), exitBehavior);
  // A guard that was passed in knows its run by itself.
  const mayBeKnown = hostOptions.guard === undefined;
  wireAll(agents, { runs, newWatch, mayBeKnown, exitBehavior, finalOutput, reportFault: runs.reportFault });
  return agent;
}

/** What the agents of one `guardAgent` share. */
interface Wiring extends FinalOutputSettings {
  readonly runs: HostRuns;
  readonly newWatch: () => CallWatch;
  /** Whether a run that was restored may go on with the guard that it had. */
  readonly mayBeKnown: boolean;
  readonly exitBehavior: ExitBehavior;
}

function wireAll(agents: readonly AgentLike[], wiring: Wiring): void {
  for (const agent of agents) {
    if (guardedAgents.has(agent)) continue;
    guardedAgents.add(agent);
    wiring.runs.safely(undefined, () => wire(agent, wiring));
  }
}

function wire(agent: AgentLike, wiring: Wiring): void {
  const { runs, newWatch, mayBeKnown, exitBehavior } = wiring;
  const { safely } = runs;
  const seen = new WeakSet<object>();
  const isAsking = new WeakSet<object>();
  const watchIn = (context: unknown): CallWatch | undefined => {
    if (!isObject(context)) return undefined;
    hearRejections(context);
    return runOf(context, agent, newWatch, mayBeKnown)?.watch;
  };
  const end = createRunEnd(agent, (context) =>
    safely(undefined, () => {
      const stop = watchIn(context)?.run.stopped();
      return stop && finalOutputOf(stop, agent.outputType, wiring);
    }),
  );

  /** Does something with a run; if that run is to end, its agent is told before it decides whether to go on. */
  const inRun = <Value>(context: unknown, fallback: Value, act: (watch: CallWatch) => Value): Value =>
    safely(fallback, () => {
      const watch = watchIn(context);
      if (watch === undefined) return fallback;
      const value = act(watch);
      if (exitBehavior === "end" && watch.run.stopped() !== undefined) end.install();
      return value;
    });
  const isOver = (context: unknown): boolean => inRun(context, false, ({ run }) => run.stopped() !== undefined);

  /** A tool may be shared with other agents: theirs are not ours to judge. */
  const guardrail = (type: string, act: (watch: CallWatch, data: GuardrailData) => GuardrailAnswer) => ({
    type,
    name: "doomloop",
    run: async (data: GuardrailData): Promise<GuardrailAnswer> => {
      const refusal = refusalIn(data.context, data.toolCall.callId);
      const answer = data.agent === agent ? inRun(data.context, allow(), (watch) => act(watch, data)) : allow();
      // Nobody has allowed it, whatever goes wrong here.
      if (refusal !== undefined && answer.behavior.type === "allow") return replaceWith(refusal);
      // The host tells nobody of the end of a run that is rejected.
      if (answer.behavior.type === "throwException") endRun(data.context, agent);
      return answer;
    },
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
    for (const tool of tools) safely(undefined, () => attach(tool));
  };

  /** A tool may be shared here, too: only the agent that the run is with asks. */
  const ask = (tool: ToolLike): void => {
    if (!seen.has(tool) || isAsking.has(tool)) return;
    isAsking.add(tool);
    askGuardFirst(tool, before, (context, call) =>
      isLive(context, agent) ? inRun(context, undefined, (watch) => watch.asked(call)) : undefined,
    );
  };
  onRejection(agent, (context, call, message) => {
    if (isLive(context, agent)) inRun(context, undefined, (watch) => watch.rejected(call, message));
  });
  onState(agent, (context, items) => inRun(context, undefined, (watch) => watch.recall(items)));

  attachAll(agent.tools);
  const { getAllTools, getEnabledHandoffs, getSystemPrompt } = agent;
  // The host asks for these before each request to the model. A run that could not be ended where it was to end, at a handoff, has
  // one more: without tools and handoffs, all that is left to the model is to answer.
  replace(agent, {
    getAllTools: async (context, span) => {
      const tools = await getAllTools.call(agent, context, span);
      attachAll(tools);
      inRun(context, undefined, ({ run, hasRejected }) => {
        for (const tool of tools as readonly ToolLike[]) if (hasRejected(String(tool.name))) ask(tool);
        run.round();
      });
      return isOver(context) ? [] : tools;
    },
    getEnabledHandoffs: async (context) => {
      const handoffs = await getEnabledHandoffs.call(agent, context);
      return isOver(context) ? [] : handoffs;
    },
    getSystemPrompt: async (context) => {
      const prompt = await getSystemPrompt.call(agent, context);
      const words = inRun(context, undefined, (watch) => watch.instructions());
      return words === undefined ? prompt : appendToText(prompt ?? "", words);
    },
  });
  const on = (
    type: Parameters<AgentLike["on"]>[0],
    listener: (context: object, ...details: never[]) => void,
  ): unknown =>
    agent.on(type, (...details) => safely(undefined, () => listener(...(details as Parameters<typeof listener>))));
  on("agent_handoff", (context, next: AgentLike) => {
    // It may have been added since.
    wireAll(reachableAgents(next), wiring);
    handOff(context, agent, next);
  });
  on("agent_start", (context, _agent: object, items: readonly ItemLike[]) => {
    end.remove();
    if (takeHandedOff(context, agent) === undefined) startRun(context, agent, newWatch);
    else inRun(context, undefined, (watch) => watch.handedOff(items));
  });
  on("agent_end", (context) => endRun(context, agent));
  on("agent_tool_end", (context, tool: ToolLike, text: string, { toolCall }: { toolCall: ToolCallLike }) => {
    if (tool.type === "function") inRun(context, undefined, (watch) => watch.ended(toolCall, text));
    forgetRefusal(context, toolCall.callId);
  });
}

/** Replaces methods of an agent, which are not among what its copies take over. */
function replace(
  agent: AgentLike,
  methods: Pick<AgentLike, "getAllTools" | "getEnabledHandoffs" | "getSystemPrompt">,
): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(agent, name, { value, configurable: true, writable: true });
  }
}

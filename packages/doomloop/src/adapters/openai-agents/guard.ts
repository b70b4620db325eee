import { isObject } from "../../core/identity/read-object.ts";
import { appendToText } from "../../host/append-words.ts";
import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import { createHostRuns, type HostRuns } from "../../host/host-runs.ts";
import { keeperOf } from "../../host/kept-guard.ts";
import { latestUserText } from "../../host/user-text.ts";
import { DoomloopError } from "../../index.ts";
import type { AgentLike, GuardrailAnswer, GuardrailData, ItemLike, ToolCallLike, ToolLike } from "./agent.ts";
import { askGuardFirst, forgetRefusal, observeRejections, onRejection, refusalIn } from "./approvals.ts";
import { allow, type CallWatch, createCallWatch, type ExitBehavior, replaceWith } from "./call-watch.ts";
import { endRun, handOff, isLive, runOf, startRun, takeHandedOff } from "./live-runs.ts";
import { onState, recallState, type StateLike } from "./restored-run.ts";
import { createRunEnd, type FinalOutputSettings, finalOutputOf } from "./run-end.ts";

/** Options of a guarded agent: those of a guard, and how a run ends. */
export interface GuardedAgentOptions extends HostOptions {
  /**
   * What happens to a run that the guard ends. `"end"`: it ends after the calls of the answer, with a final output. `"error"`: it is
   * rejected at once, with the SDK's error for guardrails; {@link loopStop} reads it.
   * @default "end"
   */
  readonly exitBehavior?: ExitBehavior;
  /**
   * Returns the final output of a run that the guard ends. An agent with an `outputType` needs it to end, and the text must fit the type.
   * @default the explanation of the stop
   */
  readonly finalOutput?: (stop: LoopStop) => string;
}

/** Agents that are already guarded. Guarding one again has no effect. */
const guardedAgents = new WeakSet<object>();

/**
 * Tells the guard what happened in a run that was restored from text, and returns the same state:
 * `guard(await RunState.fromString(agent, text))`. Call it before anything is approved or rejected.
 *
 * Without it, the guard treats a run that resumes in another process as new. A run that the guard still knows is not changed.
 */
export function guard<State extends StateLike>(state: State): State;
/**
 * Guards an agent and the agents that it can hand off to, and returns the same agent.
 *
 * Function tools, including those of MCP servers, get one more guardrail after their own. Each run has its own guard, which all
 * agents of the run share. An agent that is used as a tool has its own runs, so guard it too.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Agent extends AgentLike>(agent: Agent, options?: GuardedAgentOptions): Agent;
export function guard(given: StateLike | AgentLike, options: GuardedAgentOptions = {}): StateLike | AgentLike {
  if (isObject(given) && "currentAgent" in given) recallState(given);
  else if (isObject(given) && "getAllTools" in given) guardAgent(given, options);
  else throw new DoomloopError("invalid-option", "guard: an Agent, or a RunState, is required");
  return given;
}

function guardAgent(agent: AgentLike, options: GuardedAgentOptions): void {
  const { finalOutput, exitBehavior = "end", ...hostOptions } = options;
  if (exitBehavior !== "end" && exitBehavior !== "error")
    throw new DoomloopError(
      "invalid-option",
      `guard: exitBehavior: "end" or "error" is required, got ${String(exitBehavior)}`,
    );
  const agents = reachableAgents(agent);
  const canAnswer = finalOutput !== undefined || agents.every(({ outputType }) => outputType === "text");
  const stop = exitBehavior === "error" ? "clean" : canAnswer ? "answer" : "none";
  const runs = createHostRuns(hostOptions, { nudge: "result", block: true, stop });
  const isKept = keeperOf(hostOptions.guard)?.saved("run") !== undefined;
  const newWatch = () => createCallWatch(runs.start(), exitBehavior, isKept);
  // A guard that was passed in already has its run.
  const mayBeKnown = hostOptions.guard === undefined;
  wireAll(agents, { runs, newWatch, mayBeKnown, exitBehavior, finalOutput, reportFault: runs.reportFault });
}

/** What the agents of one `guard` share. */
interface Wiring extends FinalOutputSettings {
  readonly runs: HostRuns;
  readonly newWatch: () => CallWatch;
  /** Whether a restored run may continue with the guard that it had. */
  readonly mayBeKnown: boolean;
  readonly exitBehavior: ExitBehavior;
}

function wireAll(agents: readonly AgentLike[], wiring: Wiring): void {
  for (const agent of agents) {
    if (guardedAgents.has(agent)) continue;
    guardedAgents.add(agent);
    wiring.runs.withFallback(undefined, () => wire(agent, wiring));
  }
}

function wire(agent: AgentLike, wiring: Wiring): void {
  const { runs, newWatch, mayBeKnown, exitBehavior } = wiring;
  const { withFallback } = runs;
  const seen = new WeakSet<object>();
  const isAsking = new WeakSet<object>();
  const watchIn = (context: unknown): CallWatch | undefined => {
    if (!isObject(context)) return undefined;
    observeRejections(context);
    return runOf(context, agent, newWatch, mayBeKnown)?.watch;
  };
  const end = createRunEnd(agent, (context) =>
    withFallback(undefined, () => {
      const stop = watchIn(context)?.run.stopped();
      return stop && finalOutputOf(stop, agent.outputType, wiring);
    }),
  );

  /** Acts on a run. If the run must end, its agent gets our end behaviour before the SDK decides whether to continue. */
  const inRun = <Value>(context: unknown, fallback: Value, act: (watch: CallWatch) => Value): Value =>
    withFallback(fallback, () => {
      const watch = watchIn(context);
      if (watch === undefined) return fallback;
      const value = act(watch);
      if (exitBehavior === "end" && watch.run.stopped() !== undefined) end.install();
      return value;
    });
  const isOver = (context: unknown): boolean => inRun(context, false, ({ run }) => run.stopped() !== undefined);

  /** A tool may be shared with other agents, whose calls are not judged here. */
  const guardrail = (type: string, act: (watch: CallWatch, data: GuardrailData) => GuardrailAnswer) => ({
    type,
    name: "doomloop",
    run: async (data: GuardrailData): Promise<GuardrailAnswer> => {
      const refusal = refusalIn(data.context, data.toolCall.callId);
      const answer = data.agent === agent ? inRun(data.context, allow(), (watch) => act(watch, data)) : allow();
      // Nobody approved this call, so it must not run, whatever goes wrong here.
      if (refusal !== undefined && answer.behavior.type === "allow") return replaceWith(refusal);
      // The SDK does not report the end of a rejected run.
      if (answer.behavior.type === "throwException") endRun(data.context, agent);
      return answer;
    },
  });
  const before = guardrail("tool_input", (watch, { toolCall }) => watch.before(toolCall));
  const after = guardrail("tool_output", (watch, { toolCall, output }) => watch.after(toolCall, output));

  const attach = (tool: ToolLike): void => {
    // Our words would not fit an output schema. The calls of such a tool are observed when they are over.
    if (tool.type !== "function" || tool.outputSchema !== undefined || seen.has(tool)) return;
    seen.add(tool);
    tool.inputGuardrails = [...(tool.inputGuardrails ?? []), before];
    tool.outputGuardrails = [...(tool.outputGuardrails ?? []), after];
  };
  const attachAll = (tools: readonly { readonly type: string }[]): void => {
    for (const tool of tools) withFallback(undefined, () => attach(tool));
  };

  /** A tool may be shared here, too. Only the current agent of a run asks. */
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
  onState(agent, (context, restored) => inRun(context, undefined, (watch) => watch.recall(restored)));

  attachAll(agent.tools);
  const { getAllTools, getEnabledHandoffs, getSystemPrompt } = agent;
  // The SDK calls these before each request to the model, and the first two also when it restores a run. A run that could not end at a handoff has one more request. Without tools and
  // handoffs, the model can only answer.
  replace(agent, {
    getAllTools: async (context, span) => {
      const tools = await getAllTools.call(agent, context, span);
      attachAll(tools);
      inRun(context, undefined, ({ hasRejected }) => {
        for (const tool of tools as readonly ToolLike[]) if (hasRejected(String(tool.name))) ask(tool);
      });
      return isOver(context) ? [] : tools;
    },
    getEnabledHandoffs: async (context) => {
      const handoffs = await getEnabledHandoffs.call(agent, context);
      return isOver(context) ? [] : handoffs;
    },
    getSystemPrompt: async (context) => {
      const prompt = await getSystemPrompt.call(agent, context);
      const words = inRun(context, undefined, (watch) => {
        watch.run.round();
        return watch.instructions();
      });
      return words === undefined ? prompt : appendToText(prompt ?? "", words);
    },
  });
  const on = (
    type: Parameters<AgentLike["on"]>[0],
    listener: (context: object, ...details: never[]) => void,
  ): unknown =>
    agent.on(type, (...details) =>
      withFallback(undefined, () => listener(...(details as Parameters<typeof listener>))),
    );
  on("agent_handoff", (context, next: AgentLike) => {
    // It may have been added since `guard`.
    wireAll(reachableAgents(next), wiring);
    handOff(context, agent, next);
  });
  on("agent_start", (context, _agent: object, items: readonly ItemLike[]) => {
    end.remove();
    if (takeHandedOff(context, agent) === undefined) startRun(context, agent, newWatch);
    else inRun(context, undefined, (watch) => watch.handedOff(items));
    inRun(context, undefined, ({ run }) => run.asked(() => latestUserText(items)));
  });
  on("agent_end", (context) => endRun(context, agent));
  on("agent_tool_end", (context, tool: ToolLike, text: string, { toolCall }: { toolCall: ToolCallLike }) => {
    if (tool.type === "function") inRun(context, undefined, (watch) => watch.ended(toolCall, text));
    forgetRefusal(context, toolCall.callId);
  });
}

/** Replaces methods of an agent. Its clones do not take them over. */
function replace(
  agent: AgentLike,
  methods: Pick<AgentLike, "getAllTools" | "getEnabledHandoffs" | "getSystemPrompt">,
): void {
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(agent, name, { value, configurable: true, writable: true });
  }
}

/** The agent and all agents that its runs can be handed to. A handoff is an agent, or has one. */
function reachableAgents(agent: AgentLike): AgentLike[] {
  const agents = new Set<AgentLike>([agent]);
  for (const reached of agents) {
    for (const handoff of reached.handoffs) {
      const next = "agent" in handoff ? handoff.agent : handoff;
      if (typeof next === "object" && next !== null && "getAllTools" in next) agents.add(next as AgentLike);
    }
  }
  return [...agents];
}

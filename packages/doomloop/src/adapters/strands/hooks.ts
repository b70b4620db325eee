import { appendToText } from "../../host/append-words.ts";
import { isCancelled } from "../../host/host-errors.ts";
import type { LoopStop } from "../../host/host-options.ts";
import type { CallAnswer, HostRun } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import { textOfParts } from "../../host/user-text.ts";
import type {
  AfterModelCall,
  AfterToolCall,
  AfterTools,
  BeforeNodeCall,
  BeforeToolCall,
  Message,
  MessageAdded,
  NodeResult,
  NodeUpdate,
  StrandsPackage,
  ToolResult,
  ToolUse,
} from "./strands-package.ts";

const MAX_OPEN = 64;

/** Handles the events of one agent. */
export function hooksOf(run: HostRun, { TextBlock, ToolResultBlock }: StrandsPackage) {
  /**
   * The calls of the latest answer that have no result yet. A call comes again if a human was asked, or if another hook retries it.
   * The id alone is not enough, because another answer or another call of this answer may have the same one.
   */
  const open = new Map<string, CallAnswer>();

  const answerTo = ({ toolUse, tool }: BeforeToolCall): CallAnswer => {
    const key = keyOf(toolUse);
    const known = open.get(key);
    if (known !== undefined) return known;
    const hint = tool?.toolSpec?.annotations?.readOnlyHint;
    const readOnly = typeof hint === "boolean" ? hint : undefined;
    const answer = run.call({ id: toolUse.toolUseId, tool: toolUse.name, args: toolUse.input, readOnly });
    open.set(key, answer);
    if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
    return answer;
  };

  return {
    onMessage({ message }: MessageAdded): void {
      const { role, content } = message;
      if (role === "user" && content.some(({ type }) => type !== "toolResultBlock")) {
        run.user();
        run.asked(() => textOfParts(content));
      }
      const stop = run.stopped();
      if (role === "assistant" && stop !== undefined) noteStop(message, stop);
    },
    onModelCall(_event: object): void {
      open.clear();
      run.round();
    },
    onModelAnswer({ stopData, retry }: AfterModelCall): void {
      if (stopData !== undefined && retry !== true) observeMessage(stopData.message, run);
    },
    onToolCall(event: BeforeToolCall): void {
      const answer = answerTo(event);
      if (answer.action === "run") return;
      const { cancel } = event;
      event.cancel = typeof cancel === "string" ? appendToText(cancel, answer.message) : answer.message;
    },
    onToolResult(event: AfterToolCall): void {
      const { agent, toolUse, retry, result } = event;
      const key = keyOf(toolUse);
      const answer = open.get(key);
      if (retry === true || answer === undefined) return;
      open.delete(key);
      const error = result.status === "error";
      const isAbandoned = error && isCancelled(agent.cancelSignal);
      if (isAbandoned) run.abandon(answer.id);
      const words = isAbandoned ? undefined : run.result({ id: answer.id, output: outputOf(result), error });
      if (words === undefined) return;
      event.result = new ToolResultBlock({ ...result, content: [...result.content, new TextBlock(words)] });
    },
    onTools(event: AfterTools): void {
      const stop = run.stopped();
      if (stop !== undefined && event.endTurn === false) event.endTurn = stop.explanation;
    },
  };
}

function keyOf({ toolUseId, name, input }: ToolUse): string {
  return JSON.stringify([toolUseId, name, input]);
}

/** Observes what the model says and thinks once its answer is complete. Nothing could be done about it earlier. */
function observeMessage({ content }: Message, run: HostRun): void {
  const partial = content.some(({ type }) => type === "toolUseBlock");
  const said: string[] = [];
  for (const { type, text } of content as readonly { readonly type: string; readonly text?: unknown }[]) {
    if (typeof text !== "string") continue;
    if (type === "reasoningBlock") run.reasoning(text);
    else if (type === "textBlock") said.push(text);
  }
  if (said.length > 0) run.text(said.join("\n"), { partial });
}

/** A result as plain data, because a guard cannot compare instances of classes. A single block is returned without the list. */
function outputOf({ content }: ToolResult): unknown {
  const pieces = content.map(plain);
  return pieces.length === 1 ? pieces[0] : pieces;
}

function plain(block: { type: string; text?: unknown; json?: unknown; toJSON?: () => unknown }): unknown {
  if (block.type === "textBlock") return block.text;
  if (block.type === "jsonBlock") return block.json;
  return block.toJSON?.() ?? block;
}

/** The tool with which an agent of a swarm says which agent it hands off to. */
const ROUTING = "strands_structured_output";

/** Handles the events of swarms. Each invocation of a swarm is a run, and its handoffs are the calls of that run. */
export function swarmHooksOf(runs: HostRuns) {
  /** Invocations whose current agent has called something. Such an agent is judged by its calls, not by its handoff. */
  const working = new WeakSet<object>();
  /** The number of calls in each invocation. An agent that keeps sending another one to work does not loop. */
  const calls = new WeakMap<object, number>();

  return {
    onNode(event: BeforeNodeCall): void {
      const stop = runs.of(event.state).stopped();
      if (stop !== undefined && event.cancel === false) event.cancel = stop.explanation;
    },
    onUpdate({ state, inner: { event } }: NodeUpdate): void {
      const { type, toolUse } = event as { type?: unknown; toolUse?: { name?: unknown } };
      if (type !== "beforeToolCallEvent" || toolUse?.name === ROUTING) return;
      working.add(state);
      calls.set(state, (calls.get(state) ?? 0) + 1);
    },
    onResult({ nodeId, state, result }: NodeResult): void {
      const { agentId, ...said } = (result.structuredOutput ?? {}) as { readonly agentId?: unknown };
      if (working.delete(state) || typeof agentId !== "string") return;
      const run = runs.of(state);
      run.round();
      const args = { from: nodeId, to: agentId, ...said, calls: calls.get(state) ?? 0 };
      run.past({ tool: "handoff", args, output: "", readOnly: true });
      const stop = run.stopped();
      if (stop !== undefined) noteStop(result, stop);
    },
  };
}

/** The stop of each ended run, by its last message, or in a swarm by the result of the last agent. */
const stops = new WeakMap<object, LoopStop>();

/** Remembers what a run ended with. */
function noteStop(last: object, stop: LoopStop): void {
  stops.set(last, stop);
}

/** The few fields of the result of an agent or a swarm that are read here. */
export interface ResultLike {
  readonly lastMessage?: object;
  readonly results?: readonly object[];
}

/** The end of a run if the guard ended it; undefined otherwise. Takes the result of an agent or of a swarm. */
export function loopStop(result: ResultLike): LoopStop | undefined {
  const { lastMessage, results = [] } = result ?? {};
  const last = [...results, lastMessage].find((part) => part !== undefined && stops.has(part));
  return last && stops.get(last);
}

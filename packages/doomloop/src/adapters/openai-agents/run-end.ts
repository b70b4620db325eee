import { safely } from "../../core/faults.ts";
import { isObject } from "../../core/identity/read-object.ts";
import type { LoopStop } from "../../host/host-options.ts";
import { DoomloopError, LOOP_DETECTED } from "../../index.ts";
import type { AgentLike, FinalOutput, ToolResultLike, ToolUseBehavior } from "./agent.ts";
import { liveStop } from "./live-runs.ts";
import { textOfOutput } from "./text-of-output.ts";

/** The final output of an ended run; undefined for a run that does not end. Never throws. */
type FinalOutputOf = (context: object) => string | undefined;

/** Makes an agent end its runs. */
interface RunEnd {
  /** Makes the agent end the run after this round of tool calls. */
  install(): void;
  /** Restores the agent's own behaviour. */
  remove(): void;
}

/**
 * Ends runs through `toolUseBehavior`.
 *
 * It is replaced only while a run must end. The SDK treats an agent with a function there differently: input cannot be added to an
 * interrupted run, and a stored run is checked more strictly. So an agent that does not loop must not have our function.
 */
export function createRunEnd(agent: AgentLike, finalOutputOf: FinalOutputOf): RunEnd {
  let own: ToolUseBehavior | undefined;

  const ending: ToolUseBehavior = (context, results) => {
    const finalOutput = finalOutputOf(context);
    if (finalOutput !== undefined) return { isFinalOutput: true, isInterrupted: undefined, finalOutput };
    return asBefore(own, context, results);
  };

  return {
    install() {
      if (agent.toolUseBehavior === ending) return;
      own = agent.toolUseBehavior as ToolUseBehavior;
      agent.toolUseBehavior = ending;
    },
    remove() {
      if (agent.toolUseBehavior === ending) agent.toolUseBehavior = own;
    },
  };
}

/** What the SDK does with the agent's own behaviour, for other runs of the agent at the same time. */
function asBefore(
  own: ToolUseBehavior | undefined,
  context: object,
  results: readonly ToolResultLike[],
): FinalOutput | PromiseLike<FinalOutput> {
  if (typeof own === "function") return own(context, results);
  const names = typeof own === "object" ? own.stopAtToolNames : [];
  const last = own === "stop_on_first_tool" ? results[0] : results.find(({ tool }) => names.includes(tool.name));
  if (last?.type !== "function_output") return { isFinalOutput: false, isInterrupted: undefined };
  const finalOutput = textOfOutput(last.output) ?? String(last.output);
  return { isFinalOutput: true, isInterrupted: undefined, finalOutput };
}

export interface FinalOutputSettings {
  /** The user's own function. */
  readonly finalOutput: ((stop: LoopStop) => string) | undefined;
  readonly reportFault: (fault: unknown) => void;
}

/**
 * The final output of an ended run: the user's own, or else the explanation for people. Undefined if that does not fit the output type
 * of the agent.
 */
export function finalOutputOf(
  stop: LoopStop,
  outputType: unknown,
  { finalOutput, reportFault }: FinalOutputSettings,
): string | undefined {
  const given: unknown = finalOutput && safely(() => finalOutput(stop), reportFault);
  if (typeof given === "string") return given;
  if (given !== undefined)
    reportFault(new DoomloopError("invalid-option", `finalOutput: a string is required, got ${typeof given}`));
  return outputType === "text" ? stop.explanation : undefined;
}

/** The stop of each ended run, by an item of its conversation. */
const stops = new WeakMap<object, LoopStop>();

/** Remembers that a run ended at an item of its conversation. */
export function noteStop(item: object, stop: LoopStop): void {
  stops.set(item, stop);
}

/**
 * The end of a run if the guard ended it; undefined otherwise.
 *
 * Takes the result of a run, streamed or not, or the error of a run with `exitBehavior: "error"`.
 */
export function loopStop(ended: unknown): LoopStop | undefined {
  return safely(() => stopOf(ended));
}

function stopOf(ended: unknown): LoopStop | undefined {
  const { error, toolInputGuardrailResults, toolOutputGuardrailResults } = fieldsOf(ended);
  // The error of a tool's guardrail comes wrapped in an error of the tool call.
  const { result } = fieldsOf(error ?? ended);
  // A restored run has copies of its items. What our guardrail said is plain data, and stays with the run.
  const answers = [result, ...listOf(toolInputGuardrailResults), ...listOf(toolOutputGuardrailResults)];
  return answers.map(outputInfoOf).find(isLoopStop) ?? stopAtItem(ended);
}

/** The end at a handoff or at a rejected call, which no guardrail sees. */
function stopAtItem(ended: unknown): LoopStop | undefined {
  const { newItems, state, lastAgent } = fieldsOf(ended);
  const items = listOf(newItems).map((item) => fieldsOf(item).rawItem);
  const noted = items.find((item) => isObject(item) && stops.has(item));
  if (noted !== undefined) return stops.get(noted as object);
  const { _context: context } = fieldsOf(state);
  const stop = isObject(context) && isObject(lastAgent) ? liveStop(context, lastAgent) : undefined;
  return stop?.callId !== undefined && items.some((item) => fieldsOf(item).callId === stop.callId) ? stop : undefined;
}

function outputInfoOf(result: unknown): unknown {
  return fieldsOf(fieldsOf(result).output).outputInfo;
}

function isLoopStop(value: unknown): value is LoopStop {
  return fieldsOf(value).status === LOOP_DETECTED;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? (value as Readonly<Record<string, unknown>>) : {};
}

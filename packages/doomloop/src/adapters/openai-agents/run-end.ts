import type { AgentLike, FinalOutput, ToolResultLike, ToolUseBehavior } from "./agent.ts";
import { textOfOutput } from "./text-of-output.ts";

/** What an ended run gives as its final output; undefined for a run that is not to end. Never throws. */
export type FinalOutputOf = (context: object) => string | undefined;

/** The end of a run, carried out by its agent. */
export interface RunEnd {
  /** Makes the agent end the run after this round of tool calls. */
  install(): void;
  /** Gives the agent its own behaviour back. */
  remove(): void;
}

/**
 * Ends runs through `toolUseBehavior`.
 *
 * It is replaced only while a run is to end: the host treats an agent with a function there differently (input cannot be added to
 * an interrupted run, a stored one is checked more strictly), so an agent that does not loop must not have one of ours.
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

/** What the host does with the agent's own behaviour: for other runs of the agent that happen at the same time. */
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

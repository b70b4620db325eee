import type { HostRuns } from "../../host/host-runs.ts";
import { noteStop } from "./loop-stop.ts";
import type { BeforeNodeCall, NodeResult, NodeUpdate } from "./strands-package.ts";

/** The tool by which an agent of a swarm says whom it hands off to. */
const ROUTING = "strands_structured_output";

/** What is done at the events of swarms. Each invocation of a swarm is a run, and its handoffs are the calls of it. */
export function swarmHooksOf(runs: HostRuns) {
  /** Invocations whose present agent has called something: it is judged by that, and not by its handoff. */
  const working = new WeakSet<object>();
  /** How much was called in an invocation. An agent that sends another one to work, again and again, does not go in circles. */
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
      const args = { from: nodeId, to: agentId, ...said, calls: calls.get(state) };
      run.past({ tool: "handoff", args, output: "", readOnly: true });
      const stop = run.stopped();
      if (stop !== undefined) noteStop(result, stop);
    },
  };
}

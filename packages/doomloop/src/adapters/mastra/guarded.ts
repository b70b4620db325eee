import type { HostOptions } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import type { GuardableConfig, ProcessorsLike } from "./config.ts";
import { guardAgents } from "./guard-agents.ts";
import { createGuardHooks } from "./guard-hooks.ts";

/**
 * Guards an agent of Mastra: `new Agent(guarded({ id, name, instructions, model, tools }))`.
 *
 * A hook before each tool call can refuse it; a processor, the last of the list, reads results in the request to the model and
 * puts words behind them. Hooks and processors of the configuration are kept. Each run has a guard of its own, and so has each run of
 * the agents in `agents` that this one starts.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that, but for what the host takes as an answer:
 * a `BlockedCall` for a call that is not run, and the host's tripwire for a run that is ended.
 */
export function guarded<Config extends GuardableConfig>(config: Config, options: HostOptions = {}): Config {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const guard = createGuardHooks(runs);
  const { hooks, inputProcessors, memory, agents } = config;

  return {
    ...config,
    hooks: { ...hooks, beforeToolCall: guard.beforeToolCall(hooks) },
    inputProcessors: withProcessor(inputProcessors, guard.processor("tripwire", memory)),
    ...(agents && { agents: guardAgents(agents, guard, runs) }),
  };
}

function withProcessor(processors: ProcessorsLike, ours: object): ProcessorsLike {
  if (typeof processors !== "function") return [...(processors ?? []), ours];
  return async (context: unknown) => [...((await processors(context)) ?? []), ours];
}

import { isObject } from "../../core/identity/read-object.ts";
import type { HostOptions } from "../../host/host-options.ts";
import { createHostRuns, type HostRuns } from "../../host/host-runs.ts";
import { keeperOf } from "../../host/kept-guard.ts";
import { requireObject } from "../../host/require-object.ts";
import type { GuardableConfig, ProcessorsLike, ToolHooksLike } from "./config.ts";
import { createGuardHooks, type GuardHooks } from "./guard-hooks.ts";
import { PROCESSOR_ID } from "./run-end.ts";

/**
 * Guards an agent of Mastra: `new Agent(guard({ id, name, instructions, model, tools }))`.
 *
 * A hook before each tool call can refuse it. A processor, the last in the list, reads results in the request to the model and
 * appends words to them. Hooks and processors of the configuration are kept. Each run has its own guard, and so does each run that
 * this agent starts of the agents in `agents`.
 *
 * Throws a `DoomloopError` for invalid options. After that, it throws only what Mastra takes as an answer: a `BlockedCall` for a
 * call that is not run, and Mastra's tripwire for a run that is ended.
 */
export function guard<Config extends GuardableConfig>(config: Config, options: HostOptions = {}): Config {
  requireObject(config, "the configuration of an agent");
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  const guardHooks = createGuardHooks(runs, keeperOf(options.guard));
  const { hooks, inputProcessors, memory, agents } = config;

  return {
    ...config,
    hooks: { ...hooks, beforeToolCall: guardHooks.beforeToolCall(hooks) },
    inputProcessors: withProcessor(inputProcessors, guardHooks.processor("tripwire", memory)),
    ...(agents && { agents: guardAgents(agents, guardHooks, runs) }),
  };
}

function withProcessor(processors: ProcessorsLike, ours: object): ProcessorsLike {
  if (typeof processors !== "function") return [...(processors ?? []), ours];
  return async (context: unknown) => [...((await processors(context)) ?? []), ours];
}

/** Options of a call to an agent. */
interface CallOptions {
  readonly requestContext?: object;
  readonly hooks?: ToolHooksLike;
  readonly inputProcessors?: ProcessorsLike;
  readonly structuredOutput?: unknown;
}

/** The few methods of an agent that are called here. */
interface AgentLike {
  getDefaultOptions(argument: object): unknown;
  listConfiguredInputProcessors(context: object | undefined): unknown;
  getConfiguredToolHooks(): ToolHooksLike | undefined;
}

type Method = (...parameters: unknown[]) => unknown;

const CALLS: ReadonlySet<PropertyKey> = new Set(["generate", "stream", "resumeGenerate", "resumeStream"]);

/** Guards the agents that another agent may call, given by name or as a function. The agents themselves are not changed. */
function guardAgents(agents: GuardableConfig["agents"], hooks: GuardHooks, runs: HostRuns): unknown {
  const guardAll = (all: unknown): unknown =>
    isObject(all)
      ? Object.fromEntries(
          Object.entries(all).map(([name, agent]) => [name, isAgent(agent) ? guardAgent(agent, hooks, runs) : agent]),
        )
      : all;
  if (typeof agents !== "function") return guardAll(agents);
  return (context: unknown) => {
    const all: unknown = agents(context);
    return all instanceof Promise ? all.then(guardAll) : guardAll(all);
  };
}

/** An agent whose calls have the guard's hooks, after its own. Everything else is done by the agent itself. */
function guardAgent(agent: AgentLike, hooks: GuardHooks, runs: HostRuns): AgentLike {
  const bound = new Map<PropertyKey, { readonly method: Method; readonly wrapped: Method }>();
  const wrap = (key: PropertyKey, method: Method): Method =>
    CALLS.has(key)
      ? async (first, options) => method.call(agent, first, await guardedOptions(agent, hooks, runs, options))
      : method.bind(agent);

  return new Proxy(agent, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || key === "constructor") return value;
      const known = bound.get(key);
      if (known?.method === value) return known.wrapped;
      const wrapped = wrap(key, value as Method);
      bound.set(key, { method: value as Method, wrapped });
      return wrapped;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}

/** The options of a call with ours added. Options replace what the agent itself is configured with, so that goes in first. */
async function guardedOptions(agent: AgentLike, hooks: GuardHooks, runs: HostRuns, options: unknown): Promise<unknown> {
  try {
    const given = (options ?? {}) as CallOptions;
    const { requestContext } = given;
    const defaults = ((await agent.getDefaultOptions({ requestContext })) ?? {}) as CallOptions;
    const all = { ...defaults, ...given };
    const input = await listOf(all.inputProcessors ?? agent.listConfiguredInputProcessors(requestContext), all);
    if (input.some((processor) => processor.id === PROCESSOR_ID)) return options;
    const own = { ...agent.getConfiguredToolHooks(), ...defaults.hooks, ...given.hooks };
    return {
      ...given,
      hooks: { ...given.hooks, beforeToolCall: hooks.beforeToolCall(own) },
      // Text cannot be an answer if the caller asked for structured output.
      inputProcessors: [...input, hooks.processor(all.structuredOutput === undefined ? "answer" : "tripwire")],
    };
  } catch (fault) {
    runs.reportFault(fault);
    return options;
  }
}

async function listOf(processors: unknown, { requestContext }: CallOptions): Promise<{ readonly id?: string }[]> {
  const resolved = typeof processors === "function" ? processors({ requestContext }) : processors;
  return [...(((await resolved) as { readonly id?: string }[] | undefined) ?? [])];
}

function isAgent(value: unknown): value is AgentLike {
  const { getDefaultOptions, listConfiguredInputProcessors, getConfiguredToolHooks } = (value ??
    {}) as Partial<AgentLike>;
  const methods = [getDefaultOptions, listConfiguredInputProcessors, getConfiguredToolHooks];
  return methods.every((method) => typeof method === "function");
}

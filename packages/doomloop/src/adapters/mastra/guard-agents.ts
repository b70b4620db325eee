import type { HostRuns } from "../../host/host-runs.ts";
import { isObject } from "../../host/is-object.ts";
import type { GuardableConfig, ProcessorsLike, ToolHooksLike } from "./config.ts";
import { type GuardHooks, PROCESSOR_ID } from "./guard-hooks.ts";

/** What a call of an agent may bring along. */
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

type Method = (...words: unknown[]) => unknown;

const CALLS: ReadonlySet<PropertyKey> = new Set(["generate", "stream", "resumeGenerate", "resumeStream"]);

/** Guards the agents that another may call, given by name or as a function. They stay what they are for everybody else. */
export function guardAgents(agents: GuardableConfig["agents"], hooks: GuardHooks, runs: HostRuns): unknown {
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

/** An agent whose calls bring the guard's hooks along, behind its own. All else is done by the agent itself. */
function guardAgent(agent: AgentLike, hooks: GuardHooks, runs: HostRuns): AgentLike {
  const bound = new Map<PropertyKey, { readonly method: Method; readonly stand: Method }>();
  const standFor = (key: PropertyKey, method: Method): Method =>
    CALLS.has(key)
      ? async (first, options) => method.call(agent, first, await guardedOptions(agent, hooks, runs, options))
      : method.bind(agent);

  return new Proxy(agent, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function" || key === "constructor") return value;
      const known = bound.get(key);
      if (known?.method === value) return known.stand;
      const stand = standFor(key, value as Method);
      bound.set(key, { method: value as Method, stand });
      return stand;
    },
    set: (target, key, value) => Reflect.set(target, key, value, target),
  });
}

/** The options of a call with ours in them. They replace what the agent has of its own, and so that comes first in them. */
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
      // Words are no object: whoever asked for one gets none.
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

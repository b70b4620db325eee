import type { HostOptions } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { requireObject } from "../../host/require-object.ts";
import { DoomloopError } from "../../index.ts";
import { hooksOf, swarmHooksOf } from "./hooks.ts";
import type { AgentLike, Class, StrandsPackage } from "./strands-package.ts";

/** The options of every adapter, and the package itself. */
export interface StrandsOptions extends HostOptions {
  /**
   * `@strands-agents/sdk`, because Strands finds hooks by the classes of its events. To guard the handoffs of a `Swarm`, add the classes
   * of `@strands-agents/sdk/multiagent`.
   */
  readonly strands: StrandsPackage;
}

/** A plugin as Strands accepts it. */
export interface StrandsPlugin {
  readonly name: string;
  initAgent(agent: AgentLike): void;
  initMultiAgent(swarm: AgentLike): void;
}

const NAME = "doomloop";

const NAMES = [
  "MessageAddedEvent",
  "BeforeModelCallEvent",
  "AfterModelCallEvent",
  "BeforeToolCallEvent",
  "AfterToolCallEvent",
  "AfterToolsEvent",
  "TextBlock",
  "ToolResultBlock",
] as const;

/** After all other hooks, so that we see what will run and what the model will read. */
const LAST = { order: 1000 };

/**
 * Guards an agent or a swarm: `new strands.Agent(guard({ model, tools }, { strands }))`, where `strands` is the package itself. Takes the
 * configuration, and returns a copy with a plugin of ours. Several agents can be made of one copy.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Config extends object>(config: Config, options: StrandsOptions): Config {
  requireObject(config, "the configuration of an agent or a swarm");
  const { strands, ...shared } = options ?? {};
  const missing = NAMES.find((name) => typeof (strands as Partial<StrandsPackage> | undefined)?.[name] !== "function");
  if (missing !== undefined) {
    throw new DoomloopError("invalid-option", `strands: ${missing} of @strands-agents/sdk is required, got none`);
  }
  const { plugins = [] } = config as { readonly plugins?: readonly { readonly name?: unknown }[] };
  // Strands rejects two plugins of one name when the agent begins to run.
  return { ...config, plugins: [...plugins.filter(({ name }) => name !== NAME), pluginOf(strands, shared)] };
}

function pluginOf(strands: StrandsPackage, options: HostOptions): StrandsPlugin {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "answer" });

  /** An error in a hook would end the run, so none is thrown. */
  const safe =
    <Event>(action: (event: Event) => void) =>
    (event: Event): void =>
      runs.withFallback(undefined, () => action(event));

  const listenTo =
    (emitter: AgentLike) =>
    <Event>(eventType: Class<Event> | undefined, action: (event: Event) => void): unknown =>
      eventType && emitter.addHook(eventType, safe(action), LAST);

  return {
    name: NAME,
    initAgent(agent) {
      const on = listenTo(agent);
      const hooks = hooksOf(runs.of(agent), strands);
      on(strands.MessageAddedEvent, hooks.onMessage);
      on(strands.BeforeModelCallEvent, hooks.onModelCall);
      on(strands.AfterModelCallEvent, hooks.onModelAnswer);
      on(strands.BeforeToolCallEvent, hooks.onToolCall);
      on(strands.AfterToolCallEvent, hooks.onToolResult);
      on(strands.AfterToolsEvent, hooks.onTools);
    },
    initMultiAgent(swarm) {
      const on = listenTo(swarm);
      // The agents of a swarm read only what is handed to them.
      const hooks = swarmHooksOf(createHostRuns(options, { nudge: "none", block: false, stop: "clean" }));
      on(strands.BeforeNodeCallEvent, hooks.onNode);
      on(strands.NodeStreamUpdateEvent, hooks.onUpdate);
      on(strands.NodeResultEvent, hooks.onResult);
    },
  };
}

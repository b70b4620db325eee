import type { HostOptions } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { DoomloopError } from "../../index.ts";
import { hooksOf, swarmHooksOf } from "./hooks.ts";
import type { AgentLike, Class, StrandsPackage } from "./strands-package.ts";

/** A plugin as Strands accepts it. */
export interface LoopGuardPlugin {
  readonly name: string;
  initAgent(agent: AgentLike): void;
  initMultiAgent(swarm: AgentLike): void;
}

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
 * Guards one or more agents: `new Agent({ plugins: [loopGuard(strands)] })`, where `strands` is the package itself. If you also pass the
 * classes of `@strands-agents/sdk/multiagent`, it guards the handoffs of a `Swarm`.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function loopGuard(strands: StrandsPackage, options: HostOptions = {}): LoopGuardPlugin {
  const missing = NAMES.find((name) => typeof (strands as Partial<StrandsPackage> | undefined)?.[name] !== "function");
  if (missing !== undefined) {
    throw new DoomloopError("invalid-option", `loopGuard: ${missing} of @strands-agents/sdk is required, got none`);
  }
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "answer" });

  /** An error in a hook would end the run, so none is thrown. */
  const guarded =
    <Event>(action: (event: Event) => void) =>
    (event: Event): void => {
      try {
        action(event);
      } catch (fault) {
        runs.reportFault(fault);
      }
    };

  const listenTo =
    (emitter: AgentLike) =>
    <Event>(eventType: Class<Event> | undefined, action: (event: Event) => void): unknown =>
      eventType && emitter.addHook(eventType, guarded(action), LAST);

  return {
    name: "doomloop",
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

import { DoomloopError } from "../../index.ts";
import type { HostOptions } from "../host/host-options.ts";
import { createHostRuns } from "../host/host-runs.ts";
import { hooksOf } from "./hooks.ts";
import type { AgentLike, Class, StrandsPackage } from "./strands-package.ts";

/** A plugin as Strands takes it. */
export interface LoopGuardPlugin {
  readonly name: string;
  initAgent(agent: AgentLike): void;
}

const NAMES = [
  "MessageAddedEvent",
  "BeforeModelCallEvent",
  "BeforeToolCallEvent",
  "AfterToolCallEvent",
  "AfterToolsEvent",
  "TextBlock",
  "ToolResultBlock",
] as const;

/** Behind all other hooks: what is seen is what will run, and what the model will read. */
const LAST = { order: 1000 };

/**
 * Guards an agent, or several: `new Agent({ plugins: [loopGuard(strands)] })`, where `strands` is the package itself.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function loopGuard(strands: StrandsPackage, options: HostOptions = {}): LoopGuardPlugin {
  const missing = NAMES.find((name) => typeof (strands as Partial<StrandsPackage> | undefined)?.[name] !== "function");
  if (missing !== undefined) {
    throw new DoomloopError("invalid-option", `loopGuard: ${missing} of @strands-agents/sdk is required, got none`);
  }
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "answer" });

  /** What a hook throws ends the run, so nothing is thrown. */
  const safely =
    <Event>(action: (event: Event) => void) =>
    (event: Event): void => {
      try {
        action(event);
      } catch (fault) {
        runs.reportFault(fault);
      }
    };

  return {
    name: "doomloop",
    initAgent(agent) {
      const on = <Event>(eventType: Class<Event>, action: (event: Event) => void): unknown =>
        agent.addHook(eventType, safely(action), LAST);
      const hooks = hooksOf(runs.of(agent), strands);
      on(strands.MessageAddedEvent, hooks.onMessage);
      on(strands.BeforeModelCallEvent, hooks.onModelCall);
      on(strands.BeforeToolCallEvent, hooks.onToolCall);
      on(strands.AfterToolCallEvent, hooks.onToolResult);
      on(strands.AfterToolsEvent, hooks.onTools);
    },
  };
}

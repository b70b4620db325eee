import type { HostOptions } from "../host/host-options.ts";
import { createHostRuns } from "../host/host-runs.ts";
import { answerHook, HOOK_EVENTS } from "./answer-hook.ts";
import { type HookOutput, readHookInput } from "./hook-json.ts";

/** A callback as the Agent SDK calls it. */
type LoopHook = (input: unknown) => Promise<HookOutput>;

/** Hooks by event, as the option `hooks` of `query` takes them. */
export type LoopHooks = Record<(typeof HOOK_EVENTS)[number], { hooks: LoopHook[] }[]>;

/**
 * Hooks that guard every session and subagent of the Agent SDK: `query({ prompt, options: { hooks: loopHooks() } })`.
 *
 * Each session and each subagent has a guard of its own, also where the hooks are made once and serve many.
 *
 * Throws a `DoomloopError` for options that make no sense; nothing throws after that.
 */
export function loopHooks(options: HostOptions = {}): LoopHooks {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });

  const hook: LoopHook = async (value) => {
    try {
      const input = readHookInput(value);
      return input === undefined ? {} : answerHook(input, runs.of(input.run));
    } catch (fault) {
      runs.reportFault(fault);
      return {};
    }
  };
  return Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [hook] }]])) as LoopHooks;
}

import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { answerHook, HOOK_EVENTS } from "./answer-hook.ts";
import { type HookOutput, readHookInput } from "./hook-json.ts";

/** A callback as the Agent SDK calls it. */
type LoopHook = (input: unknown) => Promise<HookOutput>;

type HooksByEvent = Record<(typeof HOOK_EVENTS)[number], { hooks: LoopHook[] }[]>;

/** Hooks by event, as the option `hooks` of `query` takes them. */
export interface LoopHooks extends HooksByEvent {
  /**
   * The end of a session by its id, once it was decided: ask when the result message comes. The next prompt of the user takes
   * it back. Not enumerable, so a copy of the hooks does not have it.
   */
  stopped(session: string): LoopStop | undefined;
}

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
  const hooks = Object.fromEntries(HOOK_EVENTS.map((event) => [event, [{ hooks: [hook] }]]));
  const stopped = (session: string): LoopStop | undefined => runs.of(session).stopped();
  return Object.defineProperty(hooks, "stopped", { value: stopped }) as unknown as LoopHooks;
}

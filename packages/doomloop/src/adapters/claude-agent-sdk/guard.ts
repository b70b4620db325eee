import { setRecent } from "../../core/collections/bounded.ts";
import type { HostOptions, LoopStop } from "../../host/host-options.ts";
import { createHostRuns } from "../../host/host-runs.ts";
import { requireObject } from "../../host/require-object.ts";
import { DoomloopError } from "../../index.ts";
import { answerHook } from "./answer-hook.ts";
import { type HookOutput, readHookInput } from "./hook-json.ts";

/** The hook events that are observed. */
const HOOK_EVENTS = [
  "UserPromptSubmit",
  "SubagentStart",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PostCompact",
  "MessageDisplay",
  "Stop",
  "SubagentStop",
] as const;

/** A callback as the Agent SDK calls it. */
export type GuardHook = (input: unknown) => Promise<HookOutput>;

const MAX_STOPS = 1000;

/** The end of each session, by its id. The SDK's messages have no room for it. */
const stops = new Map<string, LoopStop>();

/**
 * Guards every session and subagent of a query: `query({ prompt, options: guard(options) })`. Takes the options of `query`, and returns a
 * copy with our hooks beside yours.
 *
 * Each session and each subagent has its own guard, even if many queries use the same copy.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function guard<Options extends object>(
  options: Options & { readonly prompt?: never },
  guardOptions: HostOptions = {},
): Options {
  requireObject(options, "the options of query");
  // Otherwise the hooks would be where the SDK does not look for them.
  if ("prompt" in options)
    throw new DoomloopError("invalid-option", "guard: the options of query are required, without prompt");
  const hook = hookOf(guardOptions);
  const { hooks: theirs = {} } = options as {
    readonly hooks?: Readonly<Record<string, readonly object[] | undefined>>;
  };
  const joined = HOOK_EVENTS.map((event) => [event, [{ hooks: [hook] }, ...(theirs[event] ?? [])]]);
  return { ...options, hooks: { ...theirs, ...Object.fromEntries(joined) } };
}

/**
 * The end of a session, by any message of its stream, once the end is decided; undefined otherwise. Ask when the result message comes,
 * because the user's next prompt takes the end back.
 */
export function loopStop(message: { readonly session_id?: string | undefined }): LoopStop | undefined {
  return stops.get(message?.session_id ?? "");
}

function hookOf(options: HostOptions): GuardHook {
  const runs = createHostRuns(options, { nudge: "result", block: true, stop: "clean" });
  return async (value) =>
    runs.withFallback<HookOutput>({}, () => {
      const input = readHookInput(value);
      if (input === undefined) return {};
      const run = runs.of(input.run);
      const answer = answerHook(input, run);
      noteStop(input.run, run.stopped());
      return answer;
    });
}

function noteStop(run: string, stop: LoopStop | undefined): void {
  if (stop === undefined) stops.delete(run);
  else setRecent(stops, run, stop, MAX_STOPS);
}

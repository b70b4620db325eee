import type { HostRun } from "../host/host-run.ts";
import type { HookCall, HookInput, HookOutput } from "./hook-json.ts";

const NOTHING: HookOutput = {};

/** The events that tell of a run. */
export const HOOK_EVENTS = [
  "UserPromptSubmit",
  "SubagentStart",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "PostCompact",
] as const;

/**
 * Tells a run what a hook was told, and answers what the run says. It never allows a call: that would skip the question to
 * the human. It holds no state of its own, so it serves hooks in one process and hooks that are a process each.
 */
export function answerHook(input: HookInput, run: HostRun): HookOutput {
  switch (input.event) {
    case "UserPromptSubmit":
      if (isFromUser(input)) run.user(input.prompt);
      run.round();
      return NOTHING;
    case "SubagentStart":
      // To a subagent, the agent that gives it a task is the user.
      run.user();
      run.round();
      return NOTHING;
    case "PreToolUse":
      return before(input.call, run);
    case "PostToolUse":
      return speak(input.event, run.result({ id: idOf(input.call), output: input.call.response }));
    case "PostToolUseFailure":
      return speak(input.event, run.result({ id: idOf(input.call), output: input.error, error: true }));
    case "PostToolBatch":
      return afterAll(input.batch, run);
    case "PostCompact":
      run.compaction();
      return NOTHING;
    default:
      return NOTHING;
  }
}

/** A stop is a denied call here. It ends the run when all calls of the answer are done, so that none is left open. */
function before({ id, tool, args }: HookCall, run: HostRun): HookOutput {
  const answer = run.call({ id, tool, args });
  if (answer.action === "run") return NOTHING;
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: answer.message,
    },
  };
}

function afterAll(batch: readonly HookCall[], run: HostRun): HookOutput {
  // Calls that a human or another hook denied have no other result. One that was heard already is not heard again.
  const words = batch.map((call) => run.result({ id: idOf(call), output: call.response })).filter(Boolean);
  run.round();
  const stop = run.stopped();
  if (stop === undefined) return speak("PostToolBatch", words.join("\n\n"));
  return { continue: false, stopReason: stop.message, systemMessage: stop.explanation };
}

function speak(hookEventName: "PostToolUse" | "PostToolUseFailure" | "PostToolBatch", words?: string): HookOutput {
  return words ? { hookSpecificOutput: { hookEventName, additionalContext: words } } : NOTHING;
}

function idOf({ id = "" }: HookCall): string {
  return id;
}

/** What the machine writes into its own conversation breaks no loop. */
function isFromUser({ source }: HookInput): boolean {
  return source !== "system";
}

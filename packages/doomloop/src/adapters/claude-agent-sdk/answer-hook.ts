import type { HostRun } from "../../host/host-run.ts";
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
  "MessageDisplay",
  "Stop",
  "SubagentStop",
] as const;

const MAX_SAID = 65_536;

/** What was said in an answer whose calls are yet to come, the end of it. */
const said = new WeakMap<HostRun, string>();

/**
 * Tells a run what a hook was told, and answers what the run says. It never allows a call, because that would skip the
 * question to the human, and it never keeps an agent from ending.
 */
export function answerHook(input: HookInput, run: HostRun): HookOutput {
  switch (input.event) {
    case "UserPromptSubmit":
      said.delete(run);
      if (isFromUser(input)) run.user(input.prompt);
      run.round();
      return NOTHING;
    case "SubagentStart":
      // To a subagent, the agent that gives it a task is the user.
      run.user();
      run.round();
      return NOTHING;
    case "MessageDisplay":
      said.set(run, `${said.get(run) ?? ""}${input.text ?? ""}`.slice(-MAX_SAID));
      return NOTHING;
    case "PreToolUse":
      tellSaid(run);
      return before(input.call, run);
    case "PostToolUse":
      return speak(input.event, run.result({ id: idOf(input.call), output: input.call.response }));
    case "PostToolUseFailure":
      if (!input.isInterrupted)
        return speak(input.event, run.result({ id: idOf(input.call), output: input.error, error: true }));
      run.abandon(idOf(input.call));
      return NOTHING;
    case "PostToolBatch":
      return afterAll(input.batch, run);
    case "Stop":
    case "SubagentStop":
      said.delete(run);
      // Whoever is woken by a task that has ended, or by a clock, may say the same each time.
      if (input.isSentBack && input.text) run.text(input.text);
      return NOTHING;
    case "PostCompact":
      run.compaction();
      return NOTHING;
    default:
      return NOTHING;
  }
}

/** Words without a call end the turn by themselves; those beside one are heard with it. */
function tellSaid(run: HostRun): void {
  const text = said.get(run);
  said.delete(run);
  if (text) run.text(text, { partial: true });
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
  said.delete(run);
  run.round();
  const stop = run.stopped();
  if (stop === undefined) return speak("PostToolBatch", words.join("\n\n"));
  // People read both. The model reads the reason too, as a reminder, if the session goes on.
  return { continue: false, stopReason: stop.explanation, systemMessage: stop.explanation };
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

import type { HostRun } from "../../host/host-run.ts";
import type { HookCall, HookInput, HookOutput } from "./hook-json.ts";

const NOTHING: HookOutput = {};
const MAX_SAID = 65_536;

/** The end of what each run said in an answer whose calls are still to come. */
const said = new WeakMap<HostRun, string>();

/**
 * Reports a hook event to a run, and returns the hook's answer. It never allows a call, because that would skip asking the
 * human, and it never keeps an agent from ending.
 */
export function answerHook(input: HookInput, run: HostRun): HookOutput {
  switch (input.event) {
    case "UserPromptSubmit":
      said.delete(run);
      if (isFromUser(input)) run.user(input.prompt);
      run.round();
      return NOTHING;
    case "SubagentStart":
      // For a subagent, the agent that gives it a task is the user.
      run.user();
      run.round();
      return NOTHING;
    case "MessageDisplay":
      said.set(run, `${said.get(run) ?? ""}${input.text ?? ""}`.slice(-MAX_SAID));
      return NOTHING;
    case "PreToolUse":
      observeSaid(run);
      return before(input.call, run);
    case "PostToolUse":
      return withContext(input.event, run.result({ id: idOf(input.call), output: input.call.response, error: false }));
    case "PostToolUseFailure":
      if (!input.isInterrupted)
        return withContext(input.event, run.result({ id: idOf(input.call), output: input.error, error: true }));
      run.abandon(idOf(input.call));
      return NOTHING;
    case "PostToolBatch":
      return afterAll(input.batch, run);
    case "Stop":
    case "SubagentStop":
      said.delete(run);
      // Otherwise the agent may have been woken by a timer or a finished task, and may rightly say the same each time.
      if (input.isSentBack && input.text) run.text(input.text);
      return NOTHING;
    case "PostCompact":
      run.compaction();
      return NOTHING;
    default:
      return NOTHING;
  }
}

/** Observes the words beside a call. Words without a call end the turn, and are not observed here. */
function observeSaid(run: HostRun): void {
  const text = said.get(run);
  said.delete(run);
  if (text) run.text(text, { partial: true });
}

/** For a stop, only the call is denied here. The run ends once all calls of the answer are done, so that none stays open. */
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
  // Calls that a human or another hook denied have no other result. Results that were already reported are ignored.
  const words = batch.map((call) => run.result({ id: idOf(call), output: call.response })).filter(Boolean);
  said.delete(run);
  run.round();
  const stop = run.stopped();
  if (stop === undefined) return withContext("PostToolBatch", words.join("\n\n"));
  // People read both. If the session continues, the model also reads the reason, as a reminder.
  return { continue: false, stopReason: stop.explanation, systemMessage: stop.explanation };
}

function withContext(
  hookEventName: "PostToolUse" | "PostToolUseFailure" | "PostToolBatch",
  words?: string,
): HookOutput {
  return words ? { hookSpecificOutput: { hookEventName, additionalContext: words } } : NOTHING;
}

function idOf({ id = "" }: HookCall): string {
  return id;
}

/** Prompts of the system do not break a loop. */
function isFromUser({ source }: HookInput): boolean {
  return source !== "system";
}

/**
 * The fields of a hook's input that are used. The Agent SDK passes the input in process, and the coding agent on a command's standard
 * input. `readHookInput` checks every field.
 */
export interface HookInput {
  readonly event: string;
  /** The session, and the subagent if there is one, because subagents share their session's id. */
  readonly run: string;
  readonly call: HookCall;
  readonly error: string | undefined;
  /** Whether the call failed because somebody interrupted it. */
  readonly isInterrupted: boolean;
  readonly prompt: string | undefined;
  /** Who wrote the prompt. */
  readonly source: string | undefined;
  /** What the agent says: a piece of an answer, or its whole last answer. */
  readonly text: string | undefined;
  /** Whether the agent had already ended and a hook sent it back to work. */
  readonly isSentBack: boolean;
  /** The calls of an answer, once all of them are done. */
  readonly batch: readonly HookCall[];
}

export interface HookCall {
  readonly id: string | undefined;
  readonly tool: string;
  readonly args: unknown;
  readonly response: unknown;
}

/** The answer of a hook, as plain JSON. An empty object changes nothing. */
export interface HookOutput {
  readonly continue?: false;
  readonly stopReason?: string;
  readonly systemMessage?: string;
  readonly hookSpecificOutput?: HookSpecificOutput;
}

type HookSpecificOutput =
  | {
      readonly hookEventName: "PreToolUse";
      readonly permissionDecision: "deny";
      readonly permissionDecisionReason: string;
    }
  | {
      readonly hookEventName: "PostToolUse" | "PostToolUseFailure" | "PostToolBatch";
      readonly additionalContext: string;
    };

/** Reads the input of a hook; undefined if it is not one. */
export function readHookInput(value: unknown): HookInput | undefined {
  if (!isRecord(value)) return undefined;
  const { hook_event_name: event, session_id: session, agent_id: agent, tool_calls: calls } = value;
  if (typeof event !== "string" || typeof session !== "string") return undefined;
  return {
    event,
    run: typeof agent === "string" ? `${session} ${agent}` : session,
    call: readCall(value),
    error: textOf(value.error),
    isInterrupted: value.is_interrupt === true,
    prompt: textOf(value.prompt),
    source: textOf(value.source),
    text: textOf(value.delta) ?? textOf(value.last_assistant_message),
    isSentBack: value.stop_hook_active === true,
    batch: Array.isArray(calls) ? calls.filter(isRecord).map(readCall) : [],
  };
}

function readCall({ tool_use_id, tool_name, tool_input, tool_response }: Record<string, unknown>): HookCall {
  return { id: textOf(tool_use_id), tool: textOf(tool_name) ?? "", args: tool_input, response: tool_response };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

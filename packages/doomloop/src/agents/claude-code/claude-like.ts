import { type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import {
  type BatchResult,
  contentId,
  type HookAnswer,
  type HookCall,
  type HookInput,
  type HookMoment,
} from "../hook/dialect.ts";

/** What differs between agents that have taken over the events of Claude Code. */
interface ClaudeLike {
  /** The output of a call, without parts that differ each time. */
  outputOf(input: ForeignRecord): unknown;
  /** Whether a call failed. Needed if failed calls have the same event as others. */
  errorOf?(input: ForeignRecord): boolean | undefined;
}

/** More than the calls of one answer. */
const MAX_BATCH = 128;

/** Reads an event of Claude Code, or of an agent with the same events. */
export function readClaudeLike(input: ForeignRecord, like: ClaudeLike): HookInput | null | undefined {
  const event = textOf(input.hook_event_name);
  const session = textOf(input.session_id);
  if (event === undefined || session === undefined) return undefined;
  const moment = momentOf(event, input, like);
  return moment && { event, session, agent: textOf(input.agent_id), folder: textOf(input.cwd), moment, canAsk: false };
}

function momentOf(event: string, input: ForeignRecord, like: ClaudeLike): HookMoment | null | undefined {
  const call = callOf(input);
  switch (event) {
    case "PreToolUse":
      return { type: "call", call };
    case "PostToolUse":
      return { type: "result", call, output: like.outputOf(input), error: like.errorOf?.(input) };
    case "PostToolUseFailure":
      return { type: "result", call, output: input.error, error: true };
    case "PostToolBatch":
      return { type: "batch", results: listOf(input.tool_calls).slice(-MAX_BATCH).map(batchResult) };
    case "UserPromptSubmit":
      // What the agent writes into its own conversation does not come from the user.
      return input.source === "system"
        ? null
        : { type: "user", text: textOf(input.prompt), id: textOf(input.prompt_id) };
    case "SubagentStart":
      return { type: "task" };
    case "PostCompact":
      return { type: "compaction" };
    case "Stop":
    case "SubagentStop":
      return { type: "turn", text: textOf(input.last_assistant_message) ?? "" };
    default:
      return undefined;
  }
}

/** What Claude Code puts before its own words about a call that it has not run. */
const REJECTED = "<tool_use_error>";

function batchResult(value: unknown): BatchResult {
  const result = recordOf(value) ?? {};
  const { tool_response: output } = result;
  return { call: callOf(result), output, ...(textOf(output)?.startsWith(REJECTED) === true && { error: true }) };
}

export function callOf(input: ForeignRecord): HookCall {
  const tool = textOf(input.tool_name) ?? "";
  const args = input.tool_input;
  return { id: textOf(input.tool_use_id) ?? contentId(tool, args), tool, args };
}

/** A refusal, in the form of Claude Code. */
export function denial(words: string): object {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: words,
    },
  };
}

/** Words that are appended to a result. */
export function contextFor(event: string, words: string): object {
  return { hookSpecificOutput: { hookEventName: event, additionalContext: words } };
}

/** Words at the end of a turn, which make the agent take another one. */
export function anotherTurn(words: string): object {
  return { decision: "block", reason: words };
}

/** An answer for an agent that a hook cannot end before its turn is over. Its calls stay refused instead. */
export function writeWithoutEnd(answer: HookAnswer, event: string): object | undefined {
  if (answer.type === "refusal") return denial(answer.words);
  return answer.type === "words" ? contextFor(event, answer.words) : undefined;
}

/** The events at the end of a turn. */
export const TURN_ENDS: ReadonlySet<string> = new Set(["Stop", "SubagentStop"]);

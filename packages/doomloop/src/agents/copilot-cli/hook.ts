import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import { readClaudeLike } from "../claude-code/claude-like.ts";
import { contentId, type Dialect, type HookInput, type HookMoment } from "../hook/dialect.ts";

const SHELL_ID = "\n<shellId: ";

const MAX_TAIL = 80;

/** How the prompt begins with which its autopilot starts the next turn. Nothing else tells it from a person's. */
const AUTOPILOT = "You have not yet marked the task as complete using the task_complete tool.";
const WAY_OUT = "When blocked, say so in `task_complete`.";

/**
 * The hooks of Copilot CLI, in its own form and in the one that it uses for settings of Claude Code. A hook cannot end a run, and is not
 * told whether somebody watches (1.0).
 */
export const copilotCliHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "none" },
  tellsRounds: false,
  // It ignores whatever a hook says at the end of a turn, unless that asks for another one.
  prompt: { words: true, end: true, wayOut: WAY_OUT },
  askedLate: 1,
  isOf: (input) => isOwn(input) || (input.timestamp !== undefined && textOf(input.transcript_path) === undefined),
  read(input) {
    if (!isOwn(input)) return readAsClaude(input);
    const session = textOf(input.sessionId);
    const moment = momentOf(input);
    if (session === undefined || moment === undefined) return undefined;
    return { event: "", session, agent: undefined, folder: textOf(input.cwd), moment, canAsk: false };
  },
  write(answer, { moment }) {
    if (moment.type === "turn") return undefined;
    if (answer.type === "words") return { additionalContext: answer.words };
    if (answer.type === "end" && moment.type === "user") return { decision: "block", reason: answer.explanation };
    if (answer.type !== "refusal") return undefined;
    return { permissionDecision: "deny", permissionDecisionReason: answer.words };
  },
};

function readAsClaude(input: ForeignRecord): HookInput | null | undefined {
  const read = readClaudeLike(input, { outputOf: ({ tool_result: result }) => textOfResult(result) });
  if (read?.moment.type === "turn")
    return { ...read, moment: { ...read.moment, isContinued: input.stop_hook_active === true } };
  return read?.moment.type === "user" ? { ...read, moment: promptOf(read.moment.text ?? "") } : read;
}

function promptOf(text: string): HookMoment {
  return text.startsWith(AUTOPILOT) ? { type: "user", text, isOfHost: true } : { type: "user", text, isUnsure: true };
}

function isOwn(input: ForeignRecord): boolean {
  return textOf(input.sessionId) !== undefined;
}

/** Its own hooks are not told the event's name, so the fields decide. */
function momentOf(input: ForeignRecord): HookMoment | undefined {
  const tool = textOf(input.toolName);
  if (tool === undefined) {
    if (typeof input.prompt === "string") return promptOf(input.prompt);
    // Its last words are not in the event.
    if (textOf(input.stopReason) === undefined) return undefined;
    return { type: "turn", text: "", isContinued: input.stop_hook_active === true };
  }
  const args = input.toolArgs;
  const call = { id: contentId(tool, args), tool, args };
  // A call that fails, or that Copilot CLI rejects, has an event of its own.
  if (typeof input.error === "string") return { type: "result", call, output: input.error, error: true };
  if (input.toolResult === undefined) return { type: "call", call };
  const error = recordOf(input.toolResult)?.resultType === "failure" ? true : undefined;
  return { type: "result", call, output: textOfResult(input.toolResult), error };
}

function textOfResult(result: unknown): unknown {
  const record = recordOf(result);
  return withoutShellId(record?.textResultForLlm ?? record?.text_result_for_llm ?? result);
}

/** Removes the last line of a shell's output, which numbers the shell and differs each time. */
export function withoutShellId(output: unknown): unknown {
  if (typeof output !== "string") return output;
  const at = output.indexOf(SHELL_ID, Math.max(0, output.length - MAX_TAIL));
  return at < 0 ? output : output.slice(0, at);
}

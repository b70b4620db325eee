import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { Dialect, HookAnswer, HookEnvironment, HookInput } from "../hook/dialect.ts";
import { anotherTurn, contextFor, denial, readClaudeLike, TURN_ENDS } from "./claude-like.ts";

/** Modes in which Claude Code asks a person. In other modes a question is a refusal, or is never shown. */
const ASKING = new Set<unknown>(["default", "acceptEdits", "plan"]);

/** Events at which a hook can end the run. */
const ENDS = new Set(["PostToolBatch", "Stop", "UserPromptSubmit"]);

/** The hooks of Claude Code. */
export const claudeCodeHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "clean" },
  tellsRounds: true,
  turnEnd: { words: true, end: true },
  prompt: { words: true, end: true },
  // Several agents have taken over its events.
  askedLate: 2,
  isOf: (input) => textOf(input.transcript_path) !== undefined && textOf(input.session_id) !== undefined,
  read(input) {
    const read = readClaudeLike(input, { outputOf });
    return read && { ...read, canAsk: ASKING.has(input.permission_mode) };
  },
  write,
  variables: ["CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SESSION_ATTENDED"],
  attendance,
  readStatus: (input) => ({
    session: textOf(input.session_id),
    folder: textOf(recordOf(input.workspace)?.current_dir) ?? textOf(input.cwd),
  }),
};

/**
 * To end a run, the hook refuses the call and ends the run when all calls of the answer are over, so that no call is left open. Not every
 * version understands `continue: false` beside a denial, and without a denial the call runs.
 */
function write(answer: HookAnswer, { event }: HookInput): object | undefined {
  switch (answer.type) {
    case "refusal":
      return denial(answer.words);
    case "question":
      return {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: answer.question,
        },
      };
    case "words":
      return TURN_ENDS.has(event) ? anotherTurn(answer.words) : contextFor(event, answer.words);
    case "end":
      return ENDS.has(event)
        ? { continue: false, stopReason: answer.explanation, systemMessage: answer.explanation }
        : undefined;
    default:
      return undefined;
  }
}

/** Times and counts in a structured response. They differ each time and say nothing about the outcome. */
const VOLATILE = new Set(["durationMs", "duration_ms", "totalDurationMs", "totalTokens", "usage", "agentId"]);

function outputOf({ tool_response: response }: ForeignRecord): unknown {
  const record = recordOf(response);
  if (record === undefined) return response;
  const { stdout, stderr, status } = record;
  if (typeof stdout === "string" && typeof stderr === "string")
    // For a command in the background, the status is the news.
    return [stdout, stderr, typeof status === "string" ? `status: ${status}` : ""].filter(Boolean).join("\n");
  return Object.fromEntries(Object.entries(record).filter(([name]) => !VOLATILE.has(name)));
}

/** `claude -p` says that nobody watches. Older versions say only whether a program started them. */
function attendance(env: HookEnvironment): "attended" | "unattended" | undefined {
  const { CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry } = env;
  if (attended) return attended === "0" ? "unattended" : "attended";
  return entry?.startsWith("sdk-") ? "unattended" : undefined;
}

import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { Dialect } from "../hook/dialect.ts";
import type { HookAnswer } from "../hook/hook-answer.ts";
import type { HookInput } from "../hook/hook-input.ts";
import { readClaudeLike } from "./read-claude-like.ts";
import { contextFor, denial } from "./write-claude-like.ts";

/** Modes in which Claude Code asks somebody. In the others a question is a refusal, or is never asked. */
const ASKING = new Set<unknown>(["default", "acceptEdits", "plan"]);

/** Hooks of Claude Code. */
export const claudeCode: Dialect = {
  host: "claude-code",
  abilities: { nudge: "result", block: true, stop: "clean" },
  tellsRounds: true,
  isOf: (input) => textOf(input.transcript_path) !== undefined && textOf(input.session_id) !== undefined,
  read(input) {
    const read = readClaudeLike(input, { outputOf });
    return read && { ...read, canAsk: ASKING.has(input.permission_mode) };
  },
  write,
};

/**
 * An end is a refusal at the call: `continue: false` beside a denial is not understood by every version, and without one it lets
 * the call run. The run ends when all calls of the answer are over, so that none is left open.
 */
function write(answer: HookAnswer, { event }: HookInput): object | undefined {
  switch (answer.type) {
    case "refusal":
      return { ...denial(answer.words), ...noticed(answer.notice) };
    case "question":
      return {
        hookSpecificOutput: {
          hookEventName: "PreToolUse",
          permissionDecision: "ask",
          permissionDecisionReason: answer.question,
        },
      };
    case "words":
      return { ...contextFor(event, answer.words), ...noticed(answer.notice) };
    case "end":
      return event === "PostToolBatch"
        ? { continue: false, stopReason: answer.explanation, systemMessage: answer.explanation }
        : undefined;
    default:
      return undefined;
  }
}

function noticed(notice: string | undefined): object {
  return notice === undefined ? {} : { systemMessage: notice };
}

/** Times and counts in a structured response differ each time, and say nothing of what was found. */
const VOLATILE = new Set(["durationMs", "duration_ms", "totalDurationMs", "totalTokens", "usage", "agentId"]);

function outputOf({ tool_response: response }: ForeignRecord): unknown {
  const record = recordOf(response);
  if (record === undefined) return response;
  const { stdout, stderr, status } = record;
  if (typeof stdout === "string" && typeof stderr === "string")
    // Of a command in the background, its status is what is looked for.
    return [stdout, stderr, typeof status === "string" ? `status: ${status}` : ""].filter(Boolean).join("\n");
  return Object.fromEntries(Object.entries(record).filter(([name]) => !VOLATILE.has(name)));
}

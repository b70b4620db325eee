import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { Dialect, HookAnswer, HookEnvironment, HookInput } from "../hook/dialect.ts";
import { contextFor, denial, readClaudeLike } from "./claude-like.ts";

/** Modes in which Claude Code asks a person. In other modes a question is a refusal, or is never shown. */
const ASKING = new Set<unknown>(["default", "acceptEdits", "plan"]);

/** How many laps a rehearsal has. */
const REHEARSED_LAPS = 2;

/** The hooks of Claude Code. */
export const claudeCodeHook: Dialect = {
  abilities: { nudge: "result", block: true, stop: "clean" },
  tellsRounds: true,
  // Several agents have taken over its events.
  askedLate: 2,
  isOf: (input) => textOf(input.transcript_path) !== undefined && textOf(input.session_id) !== undefined,
  read(input) {
    const read = readClaudeLike(input, { outputOf });
    return read && { ...read, canAsk: ASKING.has(input.permission_mode) };
  },
  write,
  isHeadless,
  readStatus: (input) => ({
    session: textOf(input.session_id),
    folder: textOf(recordOf(input.workspace)?.current_dir) ?? textOf(input.cwd),
  }),
  rehearsal: () => Array.from({ length: REHEARSED_LAPS }, (_, lap) => REHEARSED_STEPS.flatMap(stepOf(lap))).flat(),
};

/**
 * To end a run, the hook refuses the call and ends the run when all calls of the answer are over, so that no call is left open. Not every
 * version understands `continue: false` beside a denial, and without a denial the call runs.
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

/**
 * Whether Claude Code runs without a person, where a question is a refusal. Only the environment says so. Older versions say at least
 * whether a program started them.
 */
export function isHeadless(env: HookEnvironment): boolean {
  const { CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry } = env;
  return attended === undefined ? entry?.startsWith("sdk-") === true : attended === "0";
}

/** A loop, with an edit that changes nothing in the end. */
const REHEARSED_STEPS = [
  {
    tool_name: "Bash",
    tool_input: { command: "npm test 2>&1 | tail -5" },
    tool_response: { stdout: "1 failed, 12 passed in 2.31s\nError: expected 2, got 3 at sum.ts:12", stderr: "" },
  },
  {
    tool_name: "Edit",
    tool_input: { file_path: "sum.ts", old_string: "a + b", new_string: "a + b" },
    tool_response: { filePath: "sum.ts", oldString: "a + b", newString: "a + b" },
  },
];

/** The events of one step. */
function stepOf(lap: number) {
  return ({ tool_name, tool_input, tool_response }: (typeof REHEARSED_STEPS)[number]): readonly object[] => {
    const base = { session_id: "rehearsal", transcript_path: "rehearsal", permission_mode: "default" };
    const call = { tool_name, tool_input, tool_use_id: `${tool_name}-${lap}` };
    return [
      { ...base, hook_event_name: "PreToolUse", ...call },
      { ...base, hook_event_name: "PostToolUse", ...call, tool_response },
      { ...base, hook_event_name: "PostToolBatch", tool_calls: [{ ...call, tool_response }] },
    ];
  };
}

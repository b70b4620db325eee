import { createNumbers, prose } from "../speed/sample-runs.ts";
import { type SessionStep, sessionSteps } from "./session-steps.ts";

/**
 * The lines of one session as Claude Code 2.1 keeps them: six lines a call.
 *
 * Kinds and sizes of lines are those of a recorded session: words (1.2 KB), the call (1.3 KB and its arguments), its result (0.8 KB and the output twice), an attachment
 * (0.6 KB), what was sent (0.4 KB and the output once more) and the request (1.2 KB). `SESSION` and `PART` stand for what tells sessions apart.
 */
export function sessionLines(calls: number, seed: number, start = Date.UTC(2026, 0, 1) + seed * 3_600_000): string[] {
  const next = createNumbers(seed + 1);
  return sessionSteps(calls, seed)
    .flatMap((step, call) => stepLines(step, { call, at: start + call * 9_000 }, next))
    .map((record) => `${JSON.stringify(record)}\n`);
}

function stepLines(step: SessionStep, { call, at }: Omit<Place, "line">, next: (limit: number) => number): object[] {
  const { words, tool, input, output } = step;
  const id = `toolu_PART_${call}`;
  const answer = (content: object, line: number): object => answerLine(content, { call, line, at }, next);
  const request = { sessionId: "SESSION", id: uuid(call, 5), timestamp: iso(at + 4), version: "2.1.325" };
  return [
    answer({ type: "text", text: words }, 0),
    answer({ type: "tool_use", id, name: tool, input }, 1),
    {
      ...headOf(call, 2),
      promptId: uuid(call, 8),
      type: "user",
      message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: output, is_error: false }] },
      uuid: uuid(call, 2),
      timestamp: iso(at + 2),
      toolUseResult: { stdout: output, stderr: "", interrupted: false, isImage: false },
      sourceToolAssistantUUID: uuid(call, 1),
      permissionDecision: { decision: "accept", source: "config", toolName: "Bash", at: iso(at + 2) },
      ...FOOT,
    },
    {
      ...headOf(call, 3),
      attachment: { type: "reminder", text: prose(150, next) },
      type: "attachment",
      uuid: uuid(call, 3),
      timestamp: iso(at + 3),
      ...FOOT,
    },
    {
      type: "api-request-blob",
      sessionId: "SESSION",
      hash: uuid(call, 6).repeat(2),
      message: {
        role: "user",
        content: [{ tool_use_id: id, type: "tool_result", content: [{ type: "text", text: output }] }],
      },
    },
    { type: "api-request", ...request, params: { betas: prose(600, next).split(" ") }, keep: call, tail: [id, id] },
  ];
}

const FOOT = {
  userType: "external",
  entrypoint: "cli",
  cwd: "/home/user/project",
  sessionId: "SESSION",
  version: "2.1.325",
  gitBranch: "main",
};

function headOf(call: number, line: number): object {
  return { parentUuid: uuid(call, line - 1), isSidechain: false };
}

interface Place {
  readonly call: number;
  readonly line: number;
  readonly at: number;
}

function answerLine(content: object, { call, line, at }: Place, next: (limit: number) => number): object {
  const usage = {
    input_tokens: 4,
    cache_creation_input_tokens: next(3_000),
    cache_read_input_tokens: 20_000 + next(9_000),
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: next(400),
    service_tier: "standard",
  };
  const message = { id: `msg_PART_${call}`, type: "message", role: "assistant", model: "claude-sonnet-4-5" };
  return {
    ...headOf(call, line),
    message: { ...message, content: [content], stop_reason: "tool_use", stop_sequence: null, usage },
    apiBlockIndex: line,
    requestRef: uuid(call, 7),
    requestedModel: "claude-sonnet-4-5",
    type: "assistant",
    uuid: uuid(call, line),
    timestamp: iso(at + line),
    ...FOOT,
  };
}

function uuid(call: number, line: number): string {
  return `${String(call).padStart(8, "0")}-${String(line + 9).padStart(4, "0")}-4000-8000-PART`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

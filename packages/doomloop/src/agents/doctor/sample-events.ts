import type { HookHost } from "../hook/dialect.ts";

/** What an agent tells its hooks of one lap of a loop: under which event, and what. */
export interface SampleEvent {
  readonly event: string;
  readonly input: object;
  /** Whether it comes after the call: then it is not told of a call that was refused. */
  readonly isResult: boolean;
}

interface Lap {
  readonly session: string;
  readonly cwd: string;
  readonly at: number;
}

const COMMAND = { command: "cat notes.md" };
const OUTPUT = "nothing found";

/** The events of one lap: the same call with the same result, worded as the agent words it. */
export function sampleEvents(host: HookHost, lap: Lap): readonly SampleEvent[] {
  switch (host) {
    case "claude-code":
    case "qwen-code":
      return claudeLike(lap, { transcript_path: "sample.jsonl", permission_mode: "default", ...idsOf(host, lap) });
    case "codex":
      return claudeLike(lap, { turn_id: "1", model: "sample" }).slice(0, 2);
    case "gemini-cli":
      return geminiCli(lap);
    case "copilot-cli":
      return copilotCli(lap);
    case "cline":
      return cline(lap);
    case "opencode":
    case "openclaw":
      // They have plugins, which are tried by themselves.
      return [];
  }
}

function idsOf(host: HookHost, { at }: Lap): object {
  return host === "qwen-code" ? { tool_call_id: `call_${at}` } : {};
}

function claudeLike({ session, cwd, at }: Lap, more: object): readonly SampleEvent[] {
  const base = { session_id: session, cwd, ...more };
  const call = { tool_name: "Bash", tool_input: COMMAND, tool_use_id: `tool_${at}` };
  const batch = { tool_calls: [{ ...call, tool_response: OUTPUT }] };
  const told = (event: string, rest: object, isResult: boolean): SampleEvent => ({
    event,
    input: { ...base, hook_event_name: event, ...rest },
    isResult,
  });
  return [
    told("PreToolUse", call, false),
    told("PostToolUse", { ...call, tool_response: OUTPUT }, true),
    told("PostToolBatch", batch, false),
  ];
}

function geminiCli({ session, cwd }: Lap): readonly SampleEvent[] {
  const base = { session_id: session, cwd, tool_name: "run_shell_command", tool_input: COMMAND };
  const tool_response = { llmContent: `Output: ${OUTPUT}`, returnDisplay: OUTPUT };
  return [
    { event: "BeforeTool", input: { ...base, hook_event_name: "BeforeTool" }, isResult: false },
    { event: "AfterTool", input: { ...base, hook_event_name: "AfterTool", tool_response }, isResult: true },
  ];
}

function copilotCli({ session, cwd }: Lap): readonly SampleEvent[] {
  const base = { sessionId: session, timestamp: 0, cwd, toolName: "bash", toolArgs: COMMAND };
  const toolResult = { resultType: "success", textResultForLlm: OUTPUT };
  return [
    { event: "preToolUse", input: base, isResult: false },
    { event: "postToolUse", input: { ...base, toolResult }, isResult: true },
  ];
}

function cline({ session, cwd, at }: Lap): readonly SampleEvent[] {
  const base = { taskId: session, cwd };
  const call = { id: `call_${at}`, name: "execute_command", input: COMMAND };
  return [
    { event: "PreToolUse", input: { ...base, hookName: "tool_call", tool_call: call }, isResult: false },
    {
      event: "PostToolUse",
      input: { ...base, hookName: "tool_result", tool_result: { ...call, output: OUTPUT } },
      isResult: true,
    },
  ];
}

import { sessionLines } from "./session-lines.ts";
import { type SessionStep, sessionSteps } from "./session-steps.ts";

/** A file below a home folder. */
export interface AgentFile {
  readonly path: string;
  readonly text: string;
}

export interface SessionPlan {
  readonly name: string;
  readonly seed: number;
  readonly calls: number;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
}

const CWD = "/home/user/project";

/** A session as each of eight agents keeps it, with the fields that readers look at. */
export const agentFiles: Readonly<Record<string, (plan: SessionPlan) => readonly AgentFile[]>> = {
  "claude-code": ({ name, seed, calls, at }) => {
    const text = sessionLines(calls, seed, at).join("").replaceAll("SESSION", name);
    return [{ path: `.claude/projects/-home-user-project/${name}.jsonl`, text }];
  },
  codex: (plan) => {
    const meta = { id: plan.name, timestamp: iso(plan.at), cwd: CWD, cli_version: "0.166.0", source: "cli" };
    const lines = stepsOf(plan).flatMap(({ words, tool, input, output, id, at }) => [
      item(at, { type: "message", role: "assistant", content: [{ type: "output_text", text: words }] }),
      item(at, { type: "function_call", name: tool, arguments: JSON.stringify(input), call_id: id }),
      { timestamp: iso(at), type: "event_msg", payload: { type: "exec_command_end", call_id: id, stdout: output } },
      item(at, { type: "function_call_output", call_id: id, output }),
      { timestamp: iso(at), type: "event_msg", payload: { type: "token_count", info: codexUsage(at) } },
    ]);
    const path = `.codex/sessions/2026/11/01/rollout-${plan.name}.jsonl`;
    return [lineFile(path, [{ timestamp: iso(plan.at), type: "session_meta", payload: meta }, ...lines])];
  },
  "gemini-cli": (plan) => {
    const head = { sessionId: plan.name, projectHash: "aa", startTime: iso(plan.at), lastUpdated: iso(plan.at) };
    const lines = stepsOf(plan).map(({ words, tool, input, output, id, at }) => {
      const result = [{ functionResponse: { id, name: tool, response: { output } } }];
      const toolCalls = [{ id, name: tool, args: input, result, status: "success", timestamp: iso(at) }];
      const tokens = { input: 9_000, output: 200, cached: 8_000, thoughts: 0, tool: 0, total: 9_200 };
      return { id, timestamp: iso(at), type: "gemini", content: words, tokens, model: "gemini-2.5-pro", toolCalls };
    });
    return [lineFile(`.gemini/tmp/project/chats/session-${plan.name}.jsonl`, [head, ...lines])];
  },
  "qwen-code": (plan) => {
    const base = { parentUuid: null, sessionId: plan.name, cwd: CWD, version: "0.24.4" };
    const lines = stepsOf(plan).flatMap(({ words, tool, input, output, id, at }) => {
      const parts = [{ text: words }, { functionCall: { id, name: tool, args: input } }];
      const results = [{ functionResponse: { id, name: tool, response: { output } } }];
      const usageMetadata = { promptTokenCount: 9_000, candidatesTokenCount: 200, cachedContentTokenCount: 8_000 };
      const answer = { type: "assistant", model: "qwen3-coder", message: { role: "model", parts }, usageMetadata };
      const told = { type: "tool_result", message: { role: "user", parts: results } };
      return [answer, told].map((record) => ({ uuid: id, ...base, timestamp: iso(at), ...record }));
    });
    return [lineFile(`.qwen/projects/project/chats/${plan.name}.jsonl`, lines)];
  },
  "copilot-cli": (plan) => {
    const context = { cwd: CWD };
    const start = { sessionId: plan.name, copilotVersion: "1.0.102", startTime: iso(plan.at), context };
    const lines = stepsOf(plan).flatMap(({ words, tool, input, output, id, at }) => [
      copilotEvent("assistant.turn_start", at, { turnId: id }),
      copilotEvent("assistant.message", at, {
        messageId: id,
        model: "gpt-4.1",
        content: words,
        toolRequests: [{ toolCallId: id, name: tool, arguments: input, type: "function" }],
      }),
      copilotEvent("tool.execution_complete", at, { toolCallId: id, success: true, result: { content: output } }),
    ]);
    const path = `.copilot/session-state/${plan.name}/events.jsonl`;
    return [lineFile(path, [copilotEvent("session.start", plan.at, start), ...lines])];
  },
  pi: (plan) => {
    const head = { type: "session", version: 3, id: plan.name, timestamp: iso(plan.at), cwd: CWD };
    const lines = stepsOf(plan).flatMap(({ words, tool, input, output, id, at }) => {
      const content = [
        { type: "text", text: words },
        { type: "toolCall", id, name: tool, arguments: input },
      ];
      const usage = { input: 10, output: 200, cacheRead: 9_000, cacheWrite: 0, totalTokens: 9_210 };
      const told = { role: "toolResult", toolCallId: id, toolName: tool, content: [{ type: "text", text: output }] };
      const messages = [{ role: "assistant", content, model: "claude-sonnet-4-5", usage }, told];
      return messages.map((message) => ({ type: "message", id, parentId: null, timestamp: iso(at), message }));
    });
    return [lineFile(`.pi/agent/sessions/--home-user-project--/${plan.name}.jsonl`, [head, ...lines])];
  },
  openhands: (plan) =>
    stepsOf(plan).flatMap(({ tool, input, output, id, at }, call) => {
      const base = { timestamp: iso(at), tool_name: tool, tool_call_id: id };
      const made = { id, name: tool, arguments: JSON.stringify(input) };
      const content = [{ type: "text", text: output }];
      const events = [
        { kind: "ActionEvent", id: `a-${id}`, source: "agent", ...base, tool_call: made, llm_response_id: id },
        { kind: "ObservationEvent", id: `o-${id}`, source: "environment", ...base, observation: { content } },
      ];
      return events.map((event, at) => {
        const number = 2 * call + at;
        const file = `event-${digits(number, 5)}-00000000-0000-4000-8000-${digits(number, 12)}.json`;
        const path = `.openhands/conversations/${plan.name}/events/${file}`;
        return { path, text: JSON.stringify(event) };
      });
    }),
  opencode: ({ name, ...rest }) => {
    const plan = { ...rest, name: `ses_${name}` };
    const root = ".local/share/opencode/storage";
    const time = { created: plan.at, updated: plan.at };
    const session = { id: plan.name, version: "0.9.0", projectID: "global", directory: CWD, title: "Work", time };
    const steps = stepsOf(plan).flatMap(({ tool, input, output, id, at }) => {
      const tokens = { input: 10, output: 200, reasoning: 0, cache: { read: 9_000, write: 0 } };
      const owner = { sessionID: plan.name, time: { created: at } };
      const message = { id: `msg_${id}`, role: "assistant", modelID: "claude-sonnet-4", cost: 0, tokens, ...owner };
      const state = { status: "completed", input, output, time: { start: at, end: at } };
      const part = { id: `prt_${id}`, messageID: message.id, type: "tool", callID: id, tool, state, ...owner };
      return [
        { path: `${root}/message/${plan.name}/${message.id}.json`, text: JSON.stringify(message) },
        { path: `${root}/part/${message.id}/${part.id}.json`, text: JSON.stringify(part) },
      ];
    });
    return [{ path: `${root}/session/global/${plan.name}.json`, text: JSON.stringify(session) }, ...steps];
  },
};

interface TimedStep extends SessionStep {
  readonly id: string;
  readonly at: number;
}

function stepsOf({ name, calls, seed, at }: SessionPlan): TimedStep[] {
  return sessionSteps(calls, seed).map((step, call) => ({ ...step, id: `${name}-${call}`, at: at + call * 9_000 }));
}

function lineFile(path: string, records: readonly object[]): AgentFile {
  return { path, text: records.map((record) => `${JSON.stringify(record)}\n`).join("") };
}

function item(at: number, payload: object): object {
  return { timestamp: iso(at), type: "response_item", payload };
}

function codexUsage(total: number): object {
  const usage = { input_tokens: 9_000, cached_input_tokens: 8_000, output_tokens: 200, total_tokens: total };
  return { last_token_usage: usage, total_token_usage: usage };
}

function copilotEvent(type: string, at: number, data: object): object {
  return { type, data, id: `${type}-${at}`, timestamp: iso(at), parentId: null };
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, "0");
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

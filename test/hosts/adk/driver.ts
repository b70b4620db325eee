import {
  type Event,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmRequest,
  LogLevel,
  StreamingMode,
  setLogLevel,
} from "@google/adk";
import { guard, type HostOptions, loopStop } from "doomloop/adk";
import { z } from "zod";
import type {
  AdapterDriver,
  HostRequest,
  RunHow,
  ScriptedAnswer,
  ScriptedTool,
  WiredHost,
  WireMessage,
  WirePart,
} from "../../contracts/adapter-driver.ts";
import { reportOfScript } from "../shared/report-of.ts";
import { nextAnswer } from "../shared/scripts.ts";
import { type Part, ScriptedLlm } from "./scripted-llm.ts";

setLogLevel(LogLevel.ERROR);

/** Drives one runner with one agent; each run is a session of its own. */
export function createDriver(): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "answer" },
    wire(tools, options): WiredHost {
      const runner = runnerOf(tools, options);
      return {
        run: (script, how = {}) => reportOfScript(script, () => runToEnd(runner, how)),
      };
    },
  };
}

export function runnerOf(tools: readonly ScriptedTool[], options: HostOptions | undefined): InMemoryRunner {
  const model = new ScriptedLlm((request) => partsOf(nextAnswer(readRequest(request))));
  const made = tools.filter(({ isProviderExecuted }) => !isProviderExecuted).map(toolOf);
  const agent = new LlmAgent({ name: "agent", model, instruction: "Find it.", tools: made });
  return new InMemoryRunner(options === undefined ? { agent } : guard({ agent }, options));
}

function toolOf({ name, run, needsApproval = false }: ScriptedTool): FunctionTool {
  const parameters = z.looseObject({});
  return new FunctionTool({ name, description: name, parameters, execute: run, requireConfirmation: needsApproval });
}

async function runToEnd(runner: InMemoryRunner, { isStreaming, signal, isRejected = false }: RunHow) {
  const { appName } = runner;
  const { id: sessionId } = await runner.sessionService.createSession({ appName, userId: "user" });
  let newMessage: { role: string; parts: Part[] } = { role: "user", parts: [{ text: "Where is it?" }] };
  const runConfig = isStreaming ? { streamingMode: StreamingMode.SSE } : {};
  const events: Event[] = [];
  for (let isOver = false; !isOver; ) {
    const before = events.length;
    const params = { userId: "user", sessionId, newMessage, runConfig, ...(signal && { abortSignal: signal }) };
    for await (const event of runner.runAsync(params)) events.push(event);
    const asked = events.slice(before).flatMap(({ content }) => content?.parts?.filter(isApprovalRequest) ?? []);
    isOver = !isRejected || asked.length === 0;
    newMessage = { role: "user", parts: asked.map(rejectionOf) };
  }
  const approvals = events.flatMap(({ content }) => content?.parts ?? []).filter(isApprovalRequest).length;
  const stop = events.map((event) => loopStop(event)).find((found) => found !== undefined);
  const answer = events
    .at(-1)
    ?.content?.parts?.map(({ text = "" }) => text)
    .join("");
  return { outcome: events.map(withoutClock), approvals, stop, answer };
}

function partsOf({ text, reasoning, calls = [] }: ScriptedAnswer): Part[] {
  const made = calls.flatMap(({ id, tool, args, providerOutput }): Part[] => {
    if (providerOutput === undefined) return [{ functionCall: { id, name: tool, args: { ...args } } }];
    // What a provider runs in ADK is code.
    const code = `${tool}(${JSON.stringify(args)})`;
    const [executableCode, result] = [{ code }, { outcome: "OUTCOME_OK", output: providerOutput }];
    return [{ executableCode }, { codeExecutionResult: result }] as Part[];
  });
  const thought = reasoning === undefined ? [] : [{ text: reasoning, thought: true }];
  return [...thought, ...(text === undefined ? [] : [{ text }]), ...made];
}

function rejectionOf({ functionCall: { id = "", name = "" } = {} }: Part): Part {
  return { functionResponse: { id, name, response: { confirmed: false } } };
}

export function isApprovalRequest({ functionCall }: Part): boolean {
  return functionCall?.name === "adk_request_confirmation";
}

/** Ids of sessions, events, invocations and of ADK's own calls are random. */
function withoutClock(event: Event): unknown {
  const { id: _id, timestamp: _timestamp, invocationId: _invocation, longRunningToolIds: _ids, ...rest } = event;
  const isRandom = (key: string, value: unknown) => key === "run" || (key === "id" && /^adk-/.test(String(value)));
  return JSON.parse(JSON.stringify(rest), (key, value) => (isRandom(key, value) ? "random" : value));
}

function readRequest({ contents, config }: LlmRequest): HostRequest {
  const raw = JSON.parse(JSON.stringify({ contents, config }));
  return { raw, messages: contents.map(({ role, parts = [] }) => readContent(role, parts)) };
}

function readContent(role: string | undefined, parts: readonly Part[]): WireMessage {
  const isResult = parts.some(({ functionResponse }) => functionResponse !== undefined);
  return { role: role === "model" ? "assistant" : isResult ? "tool" : "user", parts: parts.flatMap(readPart) };
}

function readPart({ text, functionCall, functionResponse, executableCode, codeExecutionResult }: Part): WirePart[] {
  if (text !== undefined) return [{ type: "text", text }];
  if (functionCall !== undefined) return [{ type: "call", id: functionCall.id ?? "" }];
  if (executableCode !== undefined) return [{ type: "call", id: "code" }];
  if (codeExecutionResult !== undefined)
    return [{ type: "result", id: "code", text: codeExecutionResult.output ?? "" }];
  if (functionResponse === undefined) return [];
  return [{ type: "result", id: functionResponse.id ?? "", text: JSON.stringify(functionResponse.response) }];
}

import { AsyncLocalStorage } from "node:async_hooks";
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
import { type HostOptions, loopGuard } from "doomloop/adk";
import { z } from "zod";
import {
  type AdapterDriver,
  answerAt,
  type HostReport,
  type HostRequest,
  type RunHow,
  type ScriptedAnswer,
  type ScriptedTool,
  type WiredHost,
  type WireMessage,
  type WirePart,
} from "../../contracts/adapter-driver.ts";
import { type Part, ScriptedLlm } from "./scripted-llm.ts";

setLogLevel(LogLevel.ERROR);

/** What one run asks and is answered. The agent is made once, so its model finds the run by where it is called from. */
interface Conversation {
  readonly script: readonly ScriptedAnswer[];
  readonly requests: HostRequest[];
}

const conversations = new AsyncLocalStorage<Conversation>();

/** Drives one runner with one agent and one plugin; each run is a session of its own. */
export function createDriver(): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "answer" },
    wire(tools, options): WiredHost {
      const runner = runnerOf(tools, options);
      return {
        run(script, how = {}) {
          const conversation = { script, requests: [] };
          return conversations.run(conversation, () => runScript(runner, conversation, how));
        },
      };
    },
  };
}

function runnerOf(tools: readonly ScriptedTool[], options: HostOptions | undefined): InMemoryRunner {
  const model = new ScriptedLlm((request) => {
    const { script, requests } = conversations.getStore()!;
    requests.push(readRequest(request));
    return partsOf(answerAt(script, requests.length - 1));
  });
  const made = tools.filter(({ isProviderExecuted }) => !isProviderExecuted).map(toolOf);
  const agent = new LlmAgent({ name: "agent", model, instruction: "Find it.", tools: made });
  return new InMemoryRunner({ agent, plugins: options === undefined ? [] : [loopGuard(options)] });
}

function toolOf({ name, run, needsApproval = false }: ScriptedTool): FunctionTool {
  const parameters = z.looseObject({});
  return new FunctionTool({ name, description: name, parameters, execute: run, requireConfirmation: needsApproval });
}

async function runScript(runner: InMemoryRunner, { requests }: Conversation, how: RunHow): Promise<HostReport> {
  const { appName } = runner;
  const { id: sessionId } = await runner.sessionService.createSession({ appName, userId: "user" });
  const newMessage = { role: "user", parts: [{ text: "Where is it?" }] };
  const runConfig = how.isStreaming ? { streamingMode: StreamingMode.SSE } : {};
  const events: Event[] = [];
  try {
    for await (const event of runner.runAsync({ userId: "user", sessionId, newMessage, runConfig })) events.push(event);
    const approvals = events.flatMap(({ content }) => content?.parts ?? []).filter(isApprovalRequest).length;
    return { requests, outcome: events.map(withoutClock), approvals };
  } catch (error) {
    return { requests, error };
  }
}

function partsOf({ text, calls = [] }: ScriptedAnswer): Part[] {
  const made = calls.flatMap(({ id, tool, args, providerOutput }): Part[] => {
    if (providerOutput === undefined) return [{ functionCall: { id, name: tool, args: { ...args } } }];
    // What a provider runs in ADK is code.
    const code = `${tool}(${JSON.stringify(args)})`;
    const [executableCode, result] = [{ code }, { outcome: "OUTCOME_OK", output: providerOutput }];
    return [{ executableCode }, { codeExecutionResult: result }] as Part[];
  });
  return text === undefined ? made : [{ text }, ...made];
}

function isApprovalRequest({ functionCall }: Part): boolean {
  return functionCall?.name === "adk_request_confirmation";
}

/** Ids of events, invocations and of ADK's own calls are random. */
function withoutClock(event: Event): unknown {
  const { id: _id, timestamp: _timestamp, invocationId: _invocation, longRunningToolIds: _ids, ...rest } = event;
  return JSON.parse(JSON.stringify(rest), (key, value) => (key === "id" && /^adk-/.test(value) ? "random" : value));
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

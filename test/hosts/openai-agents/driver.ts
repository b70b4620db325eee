import { Agent, type AgentInputItem, Runner, type Tool, tool } from "@openai/agents";
import { guard, type HostOptions, loopStop } from "doomloop/openai-agents";
import type {
  AdapterDriver,
  HostReport,
  RunHow,
  ScriptedAnswer,
  ScriptedTool,
  WiredHost,
  WireMessage,
  WirePart,
} from "../../contracts/adapter-driver.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

/** Drives `Runner` with an agent that is made once and serves every run. */
export function createDriver(): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "answer" },
    lacks: {
      "provider-executed": "the host shows calls of hosted tools to none of its hooks on an agent",
      "repeated-ids": "the host drops a call whose id came before, and rejects the run if it is another call",
      "empty-ids": "the host rejects a run with an empty id",
      text: "the host shows what a model says to none of its hooks on an agent",
      reasoning: "the host shows what a model thinks to none of its hooks on an agent",
      errors: "the host makes a result of an error before any hook on an agent sees it",
      abort: "the host shows the signal of a call to none of its hooks on an agent",
    },
    wire(tools, options): WiredHost {
      const agent = agentOf(tools, options);
      return { run: (script, how = {}) => runScript(agent, script, how) };
    },
  };
}

export function agentOf(tools: readonly ScriptedTool[], options: HostOptions | undefined): Agent {
  const agent = new Agent({ name: "agent", tools: tools.map(toolOf) });
  return options === undefined ? agent : guard(agent, options);
}

function toolOf({ name, run, needsApproval = false }: ScriptedTool): Tool {
  const parameters = { type: "object" as const, properties: {}, required: [], additionalProperties: true as const };
  return tool({ name, description: name, parameters, strict: false, needsApproval, execute: (args) => run(args) });
}

/** The model belongs to the runner, so that runs of one agent at the same time have scripts of their own. */
async function runScript(agent: Agent, script: readonly ScriptedAnswer[], how: RunHow): Promise<HostReport> {
  const model = scriptedModel(script);
  const runner = new Runner({ model });
  const report = () => model.requests.map((raw) => ({ raw, messages: readRequest(raw) }));
  try {
    let result = how.isStreaming
      ? await streamed(runner, agent)
      : await runner.run(agent, "Where is it?", how.hasDefaultLimits ? {} : { maxTurns: 30 });
    let approvals = result.interruptions.length;
    while (how.isRejected && result.interruptions.length > 0) {
      for (const item of result.interruptions) result.state.reject(item);
      result = await runner.run(agent, result.state, { maxTurns: 30 });
      approvals += result.interruptions.length;
    }
    const { history, interruptions } = result;
    const finalOutput = interruptions.length === 0 ? result.finalOutput : undefined;
    const items = result.newItems.map((item) => item.toJSON());
    return {
      requests: report(),
      outcome: { history, finalOutput, items },
      approvals,
      stop: loopStop(result),
      answer: finalOutput,
    };
  } catch (error) {
    return { requests: report(), error };
  }
}

async function streamed(runner: Runner, agent: Agent) {
  const result = await runner.run(agent, "Where is it?", { maxTurns: 30, stream: true });
  for await (const _event of result);
  await result.completed;
  return result;
}

function readRequest({ input, systemInstructions: text }: ScriptedModel["requests"][number]): WireMessage[] {
  const messages = readInput(input as AgentInputItem[]);
  return text === undefined ? messages : [{ role: "system", parts: [{ type: "text", text }] }, ...messages];
}

/** All items of one answer are one message. */
function readInput(items: readonly AgentInputItem[]): WireMessage[] {
  const messages: { role: WireMessage["role"]; parts: WirePart[] }[] = [];
  for (const item of items) {
    const { role, parts } = readItem(item);
    const latest = messages.at(-1);
    if (latest?.role === "assistant" && role === "assistant") latest.parts.push(...parts);
    else messages.push({ role, parts: [...parts] });
  }
  return messages;
}

function readItem(item: AgentInputItem): WireMessage {
  if (item.type === "function_call") return { role: "assistant", parts: [{ type: "call", id: item.callId }] };
  if (item.type === "function_call_result") {
    return { role: "tool", parts: [{ type: "result", id: item.callId, text: textOf(item.output) }] };
  }
  if (!("role" in item)) throw new Error(`driver: an item that the scripts do not make, ${item.type}`);
  return { role: item.role, parts: [{ type: "text", text: textOf(item.content) }] };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part: { text?: string }) => part.text ?? "").join("\n");
}

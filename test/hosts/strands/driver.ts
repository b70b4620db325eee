import * as strands from "@strands-agents/sdk";
import {
  Agent,
  type AgentConfig,
  type AgentResult,
  type ContentBlock,
  InterruptResponseContent,
  type JSONValue,
  type Message,
  tool,
} from "@strands-agents/sdk";
import { HumanInTheLoop } from "@strands-agents/sdk/vended-interventions/hitl";
import { guard, loopStop } from "doomloop/strands";
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
import { reportOf } from "../shared/report-of.ts";
import { type Piece, ScriptedModel } from "./scripted-model.ts";

/** Drives agents that share one guarded configuration. An agent of Strands has one run at a time, so each run is an agent of its own. */
export function createDriver(): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "answer" },
    lacks: {
      "provider-executed": "Strands drops the calls that a provider runs before any hook sees them",
      "empty-ids": "Strands drops a call with an empty id, and fails because the answer has none",
    },
    wire(tools, options): WiredHost {
      const base: AgentConfig = { tools: tools.map(toolOf), printer: false };
      const config = options === undefined ? base : guard(base, { ...options, strands });
      return { run: (script, how = {}) => runScript(tools, config, script, how) };
    },
  };
}

function runScript(
  tools: readonly ScriptedTool[],
  config: AgentConfig,
  script: readonly ScriptedAnswer[],
  how: RunHow,
): Promise<HostReport> {
  const requests: HostRequest[] = [];
  const model = new ScriptedModel((messages, options) => {
    const raw = plain({ messages, toolSpecs: options?.toolSpecs });
    requests.push({ raw, messages: messages.map(readMessage) });
    return piecesOf(answerAt(script, requests.length - 1));
  });
  const asking = tools.filter(({ needsApproval }) => needsApproval);
  const allowedTools = tools.filter(({ needsApproval }) => !needsApproval).map(({ name }) => name);
  const interventions = asking.length === 0 ? [] : [new HumanInTheLoop({ allowedTools })];
  const agent = new Agent({ ...config, model, interventions });
  return reportOf(requests, async () => {
    const events: unknown[] = [];
    let result = await (how.isStreaming
      ? lastOf(agent, events)
      : agent.invoke("Where is it?", how.signal && { cancelSignal: how.signal }));
    let approvals = result.interrupts?.length ?? 0;
    while (how.isRejected && result.stopReason === "interrupt") {
      const rejections = result.interrupts!.map(
        ({ id }) => new InterruptResponseContent({ interruptId: id, response: "n" }),
      );
      result = await agent.invoke(rejections);
      approvals += result.interrupts?.length ?? 0;
    }
    const { stopReason, lastMessage, interrupts = [] } = result;
    const asked = interrupts.map(({ name, reason }) => ({ name, reason }));
    const outcome = plain({ stopReason, lastMessage, asked, events, history: agent.messages });
    return { outcome, approvals, stop: loopStop(result), answer: result.toString() };
  });
}

async function lastOf(agent: Agent, events: unknown[]): Promise<AgentResult> {
  const stream = agent.stream("Where is it?");
  let next = await stream.next();
  for (; next.done !== true; next = await stream.next()) events.push(plain(next.value));
  return next.value;
}

/** Data without the random ids that messages are tracked by. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "trackingId" ? undefined : inner)));
}

export function toolOf({ name, run }: ScriptedTool) {
  const inputSchema = { type: "object", additionalProperties: true } as const;
  return tool({ name, description: name, inputSchema, callback: async (input) => (await run(input)) as JSONValue });
}

export function piecesOf({ text, reasoning, calls = [] }: ScriptedAnswer): Piece[] {
  const thought = reasoning === undefined ? [] : [{ reasoning }];
  return [...thought, ...(text === undefined ? [] : [{ text }]), ...calls];
}

function readMessage({ role, content }: Message): WireMessage {
  const isResult = content.some(({ type }) => type === "toolResultBlock");
  return { role: isResult ? "tool" : role, parts: content.flatMap(readBlock) };
}

function readBlock(block: ContentBlock): WirePart[] {
  if (block.type === "textBlock") return [{ type: "text", text: block.text }];
  if (block.type === "toolUseBlock") return [{ type: "call", id: block.toolUseId }];
  if (block.type !== "toolResultBlock") return [];
  const pieces = block.content.map((piece) => (piece.type === "textBlock" ? piece.text : JSON.stringify(piece)));
  return [{ type: "result", id: block.toolUseId, text: pieces.join("\n") }];
}

import { guarded, type HostOptions } from "doomloop/ai-sdk";
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
import type { AiPackage, Answer } from "./ai-packages.ts";

/** Drives `generateText` and `streamText` of one major, with settings that are made once and serve every run. */
export function createDriver(ai: AiPackage): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "clean" },
    lacks: ai.major === 5 ? { approval: "ai 5 has no approval of tools" } : {},
    wire(tools, options): WiredHost {
      const settings = settingsOf(ai, tools, options);
      return { run: (script, how = {}) => runScript(ai, settings, script, how) };
    },
  };
}

function settingsOf(ai: AiPackage, tools: readonly ScriptedTool[], options: HostOptions | undefined): object {
  const made = Object.fromEntries(tools.map((tool) => [tool.name, toolOf(ai, tool)]));
  const bare = { tools: made, stopWhen: ai.stepCountIs(20) };
  return options === undefined ? bare : guarded(bare, options);
}

function toolOf(ai: AiPackage, { run, name, needsApproval, isProviderExecuted }: ScriptedTool): object {
  const inputSchema = ai.jsonSchema({ type: "object", additionalProperties: true });
  if (isProviderExecuted) {
    const type = ai.major === 5 ? "provider-defined" : "provider";
    return { type, id: `scripted.${name}`, name, args: {}, inputSchema, isProviderExecuted: true };
  }
  return { description: name, inputSchema, execute: run, ...(needsApproval && { needsApproval }) };
}

async function runScript(
  ai: AiPackage,
  settings: object,
  script: readonly ScriptedAnswer[],
  how: RunHow,
): Promise<HostReport> {
  const requests: HostRequest[] = [];
  const model = ai.model(({ prompt, ...rest }) => {
    const raw = structuredClone({ prompt, tools: (rest as { tools?: unknown }).tools });
    requests.push({ raw, messages: readPrompt(raw.prompt as PromptMessage[]) });
    return answerOf(answerAt(script, requests.length - 1));
  });
  const call = { ...settings, model, prompt: "Where is it?", maxRetries: 0, onError: () => {} };
  try {
    const steps = await (how.isStreaming ? streamSteps(ai, call) : generateSteps(ai, call));
    const parts = steps.map(({ content }) => content.map(withoutClock));
    return { requests, outcome: parts, approvals: parts.flat().filter(isApprovalRequest).length };
  } catch (error) {
    return { requests, error };
  }
}

interface Step {
  readonly content: readonly object[];
}

async function generateSteps(ai: AiPackage, call: object): Promise<readonly Step[]> {
  return ((await ai.generateText(call)) as { steps: readonly Step[] }).steps;
}

async function streamSteps(ai: AiPackage, call: object): Promise<readonly Step[]> {
  const result = ai.streamText(call);
  await result.consumeStream();
  return (await result.steps) as readonly Step[];
}

function answerOf({ text, calls = [] }: ScriptedAnswer): Answer {
  const content = calls.flatMap(({ id, tool, args, providerOutput }) => {
    const providerExecuted = providerOutput === undefined ? {} : { providerExecuted: true };
    const named = { toolCallId: id, toolName: tool };
    const call = { type: "tool-call", ...named, input: JSON.stringify(args), ...providerExecuted };
    const result = { type: "tool-result", ...named, result: providerOutput, ...providerExecuted };
    return providerOutput === undefined ? [call] : [call, result];
  });
  return { content: text === undefined ? content : [{ type: "text", text }, ...content], hasCalls: calls.length > 0 };
}

/** Ids of approvals are random. Errors are told by their words. */
function withoutClock(part: object): object {
  const { approvalId: _approvalId, error, ...rest } = part as { approvalId?: unknown; error?: unknown };
  return error === undefined ? rest : { ...rest, error: String(error) };
}

function isApprovalRequest(part: object): boolean {
  return (part as { type?: unknown }).type === "tool-approval-request";
}

interface PromptMessage {
  readonly role: WireMessage["role"];
  readonly content: string | readonly PromptPart[];
}

interface PromptPart {
  readonly type: string;
  readonly text?: string;
  readonly toolCallId?: string;
  readonly output?: { readonly value?: unknown; readonly reason?: string };
}

function readPrompt(prompt: readonly PromptMessage[]): WireMessage[] {
  return prompt.map(({ role, content }) => ({
    role,
    parts: typeof content === "string" ? [{ type: "text", text: content }] : content.flatMap(readPart),
  }));
}

function readPart({ type, text = "", toolCallId: id = "", output }: PromptPart): WirePart[] {
  if (type === "text") return [{ type, text }];
  if (type === "tool-call") return [{ type: "call", id }];
  if (type !== "tool-result") return [];
  const value = output?.value ?? output?.reason;
  return [{ type: "result", id, text: typeof value === "string" ? value : JSON.stringify(value) }];
}

import { guard, type LoopStop, loopStop } from "doomloop/ai-sdk";
import {
  type AdapterDriver,
  answerAt,
  type HostReport,
  type HostRequest,
  type RunHow,
  type ScriptedAnswer,
  type ScriptedTool,
  type WiredHost,
} from "../../contracts/adapter-driver.ts";
import { answerParts, type PromptMessage, readPrompt } from "../shared/language-model.ts";
import { reportOf } from "../shared/report-of.ts";
import type { AiPackage } from "./ai-packages.ts";

/** Drives `generateText` and `streamText` of one major, with settings that are made once and serve every run. */
export function createDriver(ai: AiPackage): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "clean" },
    lacks: { rejection: "the host shows a call that a human denied to no tool" },
    wire(tools, options): WiredHost {
      const made = Object.fromEntries(tools.map((tool) => [tool.name, toolOf(ai, tool)]));
      const wired = (bare: { tools: object }): object => (options === undefined ? bare : guard(bare, options));
      const limited = wired({ tools: made, stopWhen: ai.stepCountIs(20) } as { tools: object });
      const unlimited = wired({ tools: made });
      return { run: (script, how = {}) => runScript(ai, how.hasDefaultLimits ? unlimited : limited, script, how) };
    },
  };
}

function toolOf(ai: AiPackage, { run, name, needsApproval, isProviderExecuted }: ScriptedTool): object {
  const inputSchema = ai.jsonSchema({ type: "object", additionalProperties: true });
  if (isProviderExecuted) {
    return { type: "provider", id: `scripted.${name}`, name, args: {}, inputSchema, isProviderExecuted: true };
  }
  return { description: name, inputSchema, execute: run, ...(needsApproval && { needsApproval }) };
}

function runScript(
  ai: AiPackage,
  settings: object,
  script: readonly ScriptedAnswer[],
  how: RunHow,
): Promise<HostReport> {
  const requests: HostRequest[] = [];
  const model = ai.model(({ prompt, ...rest }) => {
    const raw = structuredClone({ prompt, tools: (rest as { tools?: unknown }).tools });
    requests.push({ raw, messages: readPrompt(raw.prompt as PromptMessage[]) });
    const answer = answerAt(script, requests.length - 1);
    return { content: answerParts(answer), hasCalls: (answer.calls ?? []).length > 0 };
  });
  const common = { ...settings, model, maxRetries: 0, onError: () => {}, abortSignal: how.signal };
  return reportOf(requests, async () => {
    const { steps, stop } = await (how.hasDefaultLimits ? runAgent : how.isStreaming ? stream : generate)(ai, common);
    const parts = steps.map(({ content }) => content.map(withoutClock));
    const answer = steps.at(-1)?.text;
    return { outcome: parts, approvals: parts.flat().filter(isApprovalRequest).length, stop, answer };
  });
}

interface Step {
  readonly content: readonly object[];
  readonly text: string;
}

interface Ended {
  readonly steps: readonly Step[];
  readonly stop: LoopStop | undefined;
}

const prompt = "Where is it?";

async function generate(ai: AiPackage, settings: object): Promise<Ended> {
  const result = (await ai.generateText({ ...settings, prompt })) as { steps: readonly Step[] };
  return { steps: result.steps, stop: loopStop(result) };
}

async function stream(ai: AiPackage, settings: object): Promise<Ended> {
  const result = ai.streamText({ ...settings, prompt }) as { steps: PromiseLike<readonly Step[]> };
  const stop = await loopStop(result);
  return { steps: await result.steps, stop };
}

/** The functions end after one step by default; agents have a limit worth the name. */
async function runAgent(ai: AiPackage, settings: object): Promise<Ended> {
  const result = (await new ai.Agent(settings).generate({ prompt })) as { steps: readonly Step[] };
  return { steps: result.steps, stop: loopStop(result) };
}

/** Ids of approvals are random. Errors are told by their words. */
function withoutClock(part: object): object {
  const { approvalId: _approvalId, error, ...rest } = part as { approvalId?: unknown; error?: unknown };
  return error === undefined ? rest : { ...rest, error: String(error) };
}

function isApprovalRequest(part: object): boolean {
  return (part as { type?: unknown }).type === "tool-approval-request";
}

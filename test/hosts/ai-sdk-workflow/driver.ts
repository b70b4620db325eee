import { createRequire } from "node:module";
import { WorkflowAgent } from "@ai-sdk/workflow";
import { isStepCount, jsonSchema } from "ai";
import { guard, loopStop } from "doomloop/ai-sdk";
import type { AdapterDriver, RunHow, ScriptedAnswer, ScriptedTool, WiredHost } from "../../contracts/adapter-driver.ts";
import { reportOf } from "../shared/report-of.ts";
import { scripted } from "./scripted.ts";

// For every request, the host compiles the schema of schemas anew to check those of the tools: more than all the rest. Ours are right.
const requireOfHost = createRequire(createRequire(import.meta.url).resolve("@ai-sdk/workflow"));
requireOfHost("ajv").prototype.validateSchema = () => true;

/** Drives a WorkflowAgent, which always streams. In Node, without the runtime of workflows, it does the same and is far quicker. */
export function createDriver(): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "clean" },
    lacks: {
      reasoning: "the host shows tools no reasoning",
      rejection: "the host shows a call that a human denied to no tool",
      streaming: "the host has no other way",
    },
    wire(tools, options): WiredHost {
      const made = Object.fromEntries(tools.map((tool) => [tool.name, toolOf(tool)]));
      const wired = (bare: { tools: object }): object => (options === undefined ? bare : guard(bare, options));
      const limited = wired({ tools: made, stopWhen: isStepCount(20) } as { tools: object });
      const unlimited = wired({ tools: made });
      return { run: (script, how = {}) => runScript(how.hasDefaultLimits ? unlimited : limited, script, how) };
    },
  };
}

function toolOf({ run, name, needsApproval, isProviderExecuted }: ScriptedTool): object {
  const inputSchema = jsonSchema({ type: "object", additionalProperties: true });
  if (isProviderExecuted) {
    return { type: "provider", id: `scripted.${name}`, name, args: {}, inputSchema, isProviderExecuted: true };
  }
  return { description: name, inputSchema, execute: run, ...(needsApproval && { needsApproval }) };
}

function runScript(settings: object, script: readonly ScriptedAnswer[], { signal }: RunHow) {
  const { model, requests } = scripted(script);
  let approvals = 0;
  const write = ({ type }: { type: string }): void => void (type === "tool-approval-request" && approvals++);
  const agent = new WorkflowAgent({ ...settings, model, maxRetries: 0, ...(signal && { abortSignal: signal }) });
  return reportOf(requests, async () => {
    const writable = new WritableStream({ write });
    const result = await agent.stream({ prompt: "Where is it?", writable });
    const outcome = result.steps.map(({ content }) => content.map(withReadableError));
    return { outcome, approvals, stop: loopStop(result), answer: result.steps.at(-1)?.text };
  });
}

/** Errors are told by their words. */
function withReadableError(part: object): object {
  return "error" in part ? { ...part, error: String(part.error) } : part;
}

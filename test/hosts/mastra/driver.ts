import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { guard, loopStop } from "doomloop/mastra";
import { z } from "zod";
import type { AdapterDriver, ScriptedTool } from "../../contracts/adapter-driver.ts";
import { reportOfScript } from "../shared/report-of.ts";
import { scriptedModel, withoutClock } from "./scripted-model.ts";

/** Drives `generate` and `stream` of an agent that is made once and serves every run. */
export function createDriver(): AdapterDriver {
  return {
    abilities: { nudge: "result", block: true, stop: "clean" },
    lacks: { "empty-ids": "Mastra leaves calls without an id, and their results, out of the next request" },
    wire(tools, options) {
      const config = {
        id: "scripted",
        name: "scripted",
        instructions: "You look things up.",
        model: scriptedModel(),
        tools: Object.fromEntries(tools.map((tool) => [tool.name, toolOf(tool)])),
      };
      const agent = new Agent((options === undefined ? config : guard(config, options)) as never);
      // Without a store no tool can wait for a human.
      new Mastra({ agents: { scripted: agent }, storage: new InMemoryStore(), logger: false });
      return {
        run: (script, { isStreaming = false, hasDefaultLimits = false, signal, isRejected = false } = {}) =>
          reportOfScript(script, async () => {
            const settings = { ...(!hasDefaultLimits && { maxSteps: 30 }), ...(signal && { abortSignal: signal }) };
            let { outcome, tripwire, runId } = await (isStreaming ? streamed : generated)(agent, settings);
            let approvals = outcome.finishReason === "suspended" ? 1 : 0;
            while (isRejected && outcome.finishReason === "suspended") {
              ({ outcome, tripwire, runId } = await declined(agent, { runId, ...settings }));
              approvals += outcome.finishReason === "suspended" ? 1 : 0;
            }
            const stop = loopStop({ tripwire });
            const answer = `${outcome.text} ${tripwire?.reason}`;
            return { outcome, approvals, stop, answer };
          }),
      };
    },
  };
}

export function toolOf({ name, run, needsApproval, isProviderExecuted }: ScriptedTool): object {
  if (isProviderExecuted) return { type: "provider-defined", id: `scripted.${name}`, name, args: {} };
  const inputSchema = z.looseObject({});
  const execute = async (input: unknown) => run(input);
  return createTool({ id: name, description: name, inputSchema, execute, requireApproval: needsApproval === true });
}

type Generated = Awaited<ReturnType<Agent["generate"]>>;

async function generated(agent: Agent, settings: object) {
  return endOf(await agent.generate("Where is it?", settings));
}

async function declined(agent: Agent, settings: { runId: string }) {
  return endOf((await agent.declineToolCallGenerate(settings)) as Generated);
}

function endOf({ text, finishReason, steps, toolResults, error, tripwire, runId = "" }: Generated) {
  if (error) throw error;
  const outcome = { text, finishReason, toolResults, steps: steps.map(({ content }) => content) };
  return { outcome: withoutClock(outcome), tripwire, runId };
}

async function streamed(agent: Agent, settings: object) {
  const output = await agent.stream("Where is it?", settings);
  const chunks: object[] = [];
  for await (const { type, payload } of output.fullStream as AsyncIterable<{ type: string; payload?: unknown }>) {
    if (type === "error") throw (payload as { error: unknown }).error;
    if (type.startsWith("tool") || type.startsWith("text")) chunks.push({ type, payload });
  }
  const outcome = { finishReason: await output.finishReason, text: await output.text, chunks };
  return { outcome: withoutClock(outcome), tripwire: output.tripwire, runId: output.runId };
}

import { setImmediate } from "node:timers/promises";
import {
  Agent,
  RunContext,
  Runner,
  ToolCallError,
  ToolInputGuardrailTripwireTriggered,
  ToolOutputGuardrailTripwireTriggered,
  tool,
} from "@openai/agents";
import { REPORT_REQUEST } from "doomloop";
import { type GuardedAgentOptions, guard, type LoopStop, loopStop } from "doomloop/openai-agents";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { loopScript, pageScript, QUICK } from "../../contracts/adapter-scripts.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const parameters = z.object({ path: z.string() });
const outputType = z.object({ answer: z.string() });
const readFile = (more: object = {}) =>
  tool({ name: "read_file", description: "reads a file", parameters, execute: () => "nothing found", ...more });
const readPage = tool({
  name: "read_page",
  description: "reads",
  parameters: z.object({ page: z.number() }),
  execute: ({ page }) => `page ${page}`,
});

function looping(options: GuardedAgentOptions, settings: object = {}) {
  const stops: LoopStop[] = [];
  const agent = new Agent({ name: "agent", tools: [readFile(), readPage], ...settings });
  return { agent: guard(agent, { ...QUICK, ...options, onStop: (stop) => void stops.push(stop) }), stops };
}

const runOf = (agent: Agent, model: ScriptedModel = scriptedModel(loopScript()), how: object = {}) =>
  new Runner({ model }).run(agent, "go", { maxTurns: 30, ...how });

/** What a run is rejected with. */
const errorOf = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("loopStop", () => {
  it("tells each of the runs that happen at the same time of its own end", async () => {
    const { agent, stops } = looping({});
    const [first, pages, second] = await Promise.all([
      runOf(agent),
      runOf(agent, scriptedModel(pageScript())),
      runOf(agent),
    ]);

    expect(stops).toHaveLength(2);
    expect([loopStop(first), loopStop(second)]).toEqual(stops);
    expect(loopStop(first)).not.toBe(loopStop(second));
    expect(loopStop(pages)).toBeUndefined();
  });

  it("does not confuse the runs of one context", async () => {
    const context = new RunContext({});
    const { agent, stops } = looping({});
    const healthy = await runOf(agent, scriptedModel(pageScript()), { context });
    const ended = await runOf(agent, undefined, { context });
    const later = await runOf(agent, scriptedModel(pageScript()), { context });

    expect([healthy, ended, later].map(loopStop)).toEqual([undefined, stops[0], undefined]);
  });

  it("knows a stop at a tool that has no guardrail of ours", async () => {
    const typed = readFile({ execute: () => ({ found: 0 }), outputSchema: z.object({ found: z.number() }) });
    const { agent, stops } = looping({}, { tools: [typed] });
    const result = await runOf(agent);

    expect(loopStop(result)).toBe(stops[0]);
    expect(result.finalOutput).toBe(stops[0]?.explanation);
  });

  it("is part of the guardrail's result, as the host shows it", async () => {
    const { agent, stops } = looping({});
    const { toolInputGuardrailResults } = await runOf(agent);

    expect(toolInputGuardrailResults.map(({ output }) => output.outputInfo)).toEqual([
      ...Array(5).fill(undefined),
      stops[0],
    ]);
  });

  it.each([undefined, null, "over", new Error("over"), { newItems: [null], error: 1 }])(
    "knows no stop in %s",
    (other) => {
      expect(loopStop(other)).toBeUndefined();
    },
  );
});

describe('guard, with exitBehavior "error"', () => {
  it("rejects the run through the host's own error of guardrails, with the stop in it", async () => {
    const { agent, stops } = looping({ exitBehavior: "error" });
    const model = scriptedModel(loopScript());
    const error = (await errorOf(runOf(agent, model))) as ToolCallError;

    expect(error).toBeInstanceOf(ToolCallError);
    expect(error.error).toBeInstanceOf(ToolInputGuardrailTripwireTriggered);
    expect((error.error as ToolInputGuardrailTripwireTriggered).result.output.outputInfo).toBe(stops[0]);
    expect(stops[0]).toMatchObject({ status: "LOOP_DETECTED", callId: "call-6", tool: "read_file" });
    expect(loopStop(error)).toBe(stops[0]);
    expect(loopStop(error.error)).toBe(stops[0]);
    expect(model.requests).toHaveLength(6);
  });

  it("does the same at a result", async () => {
    const { agent, stops } = looping({ exitBehavior: "error", ladder: ["stop"] });
    const error = (await errorOf(runOf(agent))) as ToolCallError;

    expect(error.error).toBeInstanceOf(ToolOutputGuardrailTripwireTriggered);
    expect(stops).toHaveLength(1);
    expect(loopStop(error)).toBe(stops[0]);
  });

  it("does the same in a stream", async () => {
    const { agent, stops } = looping({ exitBehavior: "error" });
    const result = await new Runner({ model: scriptedModel(loopScript()) }).run(agent, "go", {
      maxTurns: 30,
      stream: true,
    });
    const error = await errorOf(
      (async () => {
        for await (const _event of result);
      })(),
    );

    expect(loopStop(error)).toBe(stops[0]);
    expect(stops).toHaveLength(1);
  });

  it("ends an agent whose final output has a type, without a downgrade", async () => {
    const downgrades: unknown[] = [];
    const { agent, stops } = looping(
      { exitBehavior: "error", onDowngrade: (downgrade) => void downgrades.push(downgrade) },
      { outputType },
    );

    expect(loopStop(await errorOf(runOf(agent as never)))).toBe(stops[0]);
    expect(downgrades).toEqual([]);
  });

  it("leaves the context to the next run, which is judged again", async () => {
    const context = new RunContext({});
    const { agent, stops } = looping({ exitBehavior: "error" });
    await errorOf(runOf(agent, undefined, { context }));
    const again = await errorOf(runOf(agent, undefined, { context }));

    expect(stops).toHaveLength(2);
    expect(loopStop(again)).toBe(stops[1]);
  });

  it("leaves it to the model to end a run that no guardrail can reject, in one request without tools", async () => {
    const typed = readFile({ execute: () => ({ found: 0 }), outputSchema: z.object({ found: z.number() }) });
    const { agent, stops } = looping({ exitBehavior: "error" }, { tools: [typed], outputType });
    const model = answering(scriptedModel(loopScript()), '{"answer":"none"}');
    const result = await runOf(agent as never, model);

    expect(model.requests.at(-1)?.tools).toEqual([]);
    expect(model.requests.at(-1)?.systemInstructions).toContain(REPORT_REQUEST);
    expect(result.finalOutput).toEqual({ answer: "none" });
    expect(loopStop(result)).toBe(stops[0]);
  });

  it("is one of two words", () => {
    expect(() => guard(new Agent({ name: "agent" }), { exitBehavior: "throw" as never })).toThrow(
      'exitBehavior: "end" or "error" is required, got throw',
    );
  });
});

describe("guard, with a final output of the user's", () => {
  it("ends a run with a typed output that it is told", async () => {
    const { agent } = looping({ finalOutput: ({ kind }) => JSON.stringify({ answer: kind }) }, { outputType });
    const model = scriptedModel(loopScript());
    const result = await runOf(agent, model);

    expect(result.finalOutput).toEqual({ answer: "repeated-call" });
    expect(model.requests).toHaveLength(6);
  });

  const fails = (): never => {
    throw new Error("the disk is full");
  };
  const failing = [
    { how: "throws", finalOutput: fails },
    { how: "rejects", finalOutput: (async () => fails()) as unknown as () => string },
    { how: "is late", finalOutput: (async () => "late") as unknown as () => string },
    { how: "gives no text", finalOutput: () => 1 as unknown as string },
  ];

  it.each(failing)("gives the explanation if it $how, and tells of the fault", async ({ finalOutput }) => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const faults: unknown[] = [];
    const { agent, stops } = looping({ finalOutput, onFault: (fault) => void faults.push(fault) });
    const result = await runOf(agent);
    await setImmediate();
    process.off("unhandledRejection", note);

    expect(result.finalOutput).toBe(stops[0]?.explanation);
    expect(faults).toHaveLength(1);
    expect(unhandled).toEqual([]);
  });

  it("asks the model for a last answer where the explanation does not fit the type", async () => {
    const { agent, stops } = looping({ finalOutput: fails }, { outputType });
    const model = answering(scriptedModel(loopScript()), '{"answer":"none"}');
    const result = await runOf(agent, model);

    expect(model.requests).toHaveLength(7);
    expect(model.requests.at(-1)?.tools).toEqual([]);
    expect(result.finalOutput).toEqual({ answer: "none" });
    expect(loopStop(result)).toBe(stops[0]);
  });
});

/** A model that answers so once it is offered no tools. */
function answering(model: ScriptedModel, text: string): ScriptedModel {
  return {
    ...model,
    async getResponse(request) {
      if (request.tools.length > 0) return model.getResponse(request);
      await model.getResponse(request);
      return scriptedModel([{ text }]).getResponse(request);
    },
  };
}

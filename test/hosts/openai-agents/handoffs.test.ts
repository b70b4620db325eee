import { Agent, type Model, ModelBehaviorError, type ModelRequest, Runner, tool } from "@openai/agents";
import { REPORT_REQUEST } from "doomloop";
import { guard, type LoopStop, loopStop } from "doomloop/openai-agents";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const WORDS = "[doomloop]";

/** What the model reads of a request. */
function shown({ systemInstructions, input, tools, handoffs }: ModelRequest) {
  return structuredClone({ systemInstructions, input, tools, handoffs });
}

describe("guard, with agents that hand off to each other and do nothing else", () => {
  const PAIR = ["First of the two", "Second of the two"] as const;

  /** A model for both agents that always hands off, if it is offered a handoff; `said` is what it says with it. */
  function handingOff(length: number, said: (at: number) => string | undefined = () => undefined) {
    const requests: ReturnType<typeof shown>[] = [];
    const scripted = scriptedModel([]);
    const model: ScriptedModel = {
      ...scripted,
      getResponse(request) {
        requests.push(shown(request));
        const at = requests.length;
        const tool = request.handoffs[0]?.toolName;
        const text = said(at);
        const hands = { calls: [{ id: `hand-${at}`, tool: tool!, args: {} }], ...(text !== undefined && { text }) };
        const answer = tool === undefined || at > length ? { text: "I am done." } : hands;
        return scriptedModel([answer]).getResponse(request);
      },
    };
    return { model, requests };
  }

  function pairWith(model: Model, more: object = {}): Agent {
    const first: Agent = new Agent({ name: PAIR[0], model, instructions: "Help.", ...more });
    const second: Agent = new Agent({ name: PAIR[1], model, instructions: "Help.", handoffs: [first], ...more });
    first.handoffs = [second];
    return first;
  }

  it("tells the next agent in its instructions, and leaves the instructions of other requests alone", async () => {
    const { model, requests } = handingOff(10);
    const result = await new Runner().run(guard(pairWith(model), QUICK), "go", { maxTurns: 30 });
    const spoken = requests.map(({ systemInstructions }) => systemInstructions?.includes(WORDS));

    const first = spoken.indexOf(true);
    expect(first).toBeGreaterThan(4);
    expect(requests[first - 1]?.systemInstructions).toBe("Help.");
    expect(requests[first]?.systemInstructions).toMatch(/^Help\.\n\n\[doomloop\]/);
    expect(result.finalOutput).toBe("I am done.");
  });

  it("ends the run in the end: the last request offers no handoff, so that the model answers", async () => {
    const stops: LoopStop[] = [];
    const { model, requests } = handingOff(100);
    const agent = guard(pairWith(model), { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const result = await new Runner().run(agent, "go", { maxTurns: 60 });

    expect(stops).toHaveLength(1);
    expect(stops[0]?.kind).toBe("call-cycle");
    expect(requests.length).toBeLessThan(25);
    expect(requests.at(-1)?.handoffs).toEqual([]);
    expect(requests.at(-1)?.systemInstructions).toContain(`${stops[0]?.message} ${REPORT_REQUEST}`);
    expect(result.finalOutput).toBe("I am done.");
    expect(loopStop(result)).toBe(stops[0]);
  });

  it("says nothing to agents that pass a text to and fro", async () => {
    const { model, requests } = handingOff(20, (at) => `Version ${at} of the story. Please review it.`);
    await new Runner().run(guard(pairWith(model)), "go", { maxTurns: 60 });

    expect(requests).toHaveLength(21);
    expect(JSON.stringify(requests)).not.toContain(WORDS);
  });

  it("says nothing where the server holds the conversation, and what the agents said cannot be read", async () => {
    const { model, requests } = handingOff(20, (at) => `Version ${at} of the story. Please review it.`);
    const how = { maxTurns: 60, conversationId: "conversation-1" };
    await new Runner().run(guard(pairWith(model)), "go", how);

    expect(requests).toHaveLength(21);
    expect(JSON.stringify(requests)).not.toContain(WORDS);
  });

  /** Triage hands each question to a desk, which hands it on or looks something up, and then hands back. */
  async function triage(isDeep: boolean) {
    const requests: ReturnType<typeof shown>[] = [];
    let lookUps = 0;
    let turns = 0;
    const modelOf = (answer: (request: ModelRequest) => ScriptedAnswer): Model => ({
      ...scriptedModel([]),
      getResponse(request) {
        requests.push(shown(request));
        return scriptedModel([answer(request)]).getResponse(request);
      },
    });
    const callOf = (tool: string, args = {}) => ({ calls: [{ id: `call-${++turns}`, tool, args }] });
    const look = tool({
      name: "look_up",
      description: "looks up",
      parameters: z.object({ item: z.string() }),
      execute: ({ item }) => `All about ${item}.`,
    });
    const works = modelOf(({ input }) => {
      const { type, name } = (input as readonly { type?: string; name?: string }[]).at(-1) ?? {};
      const isDone = type === "function_call_result" && name === "look_up";
      return isDone ? callOf("transfer_to_Triage") : callOf("look_up", { item: `item ${++lookUps}` });
    });
    const passesOn = modelOf(() => callOf("transfer_to_Clerk"));
    const clerk: Agent = new Agent({ name: "Clerk", model: works, tools: [look] });
    const desk: Agent = new Agent({ name: "Desk", model: passesOn, handoffs: [clerk] });
    const next = isDeep ? desk : clerk;
    const asks = modelOf(() => (lookUps < 8 ? callOf(`transfer_to_${next.name}`) : { text: "I am done." }));
    const first: Agent = new Agent({ name: "Triage", model: asks, handoffs: [next] });
    clerk.handoffs = [first];
    const result = await new Runner().run(guard(first, QUICK), "go", { maxTurns: 60 });
    return { requests, lookUps, finalOutput: result.finalOutput };
  }

  it.each([
    { title: "a desk that works", isDeep: false },
    { title: "a desk that hands on to one that works", isDeep: true },
  ])("says nothing to an agent that hands off to $title each time", async ({ isDeep }) => {
    const { requests, lookUps, finalOutput } = await triage(isDeep);

    expect(JSON.stringify(requests)).not.toContain(WORDS);
    expect(lookUps).toBe(8);
    expect(finalOutput).toBe("I am done.");
  });

  it("tells onStop of the end of a run that the host rejects, because the model hands off to nobody", async () => {
    const stops: LoopStop[] = [];
    let asked = 0;
    let tool = "";
    const model: Model = {
      ...scriptedModel([]),
      getResponse(request) {
        tool = request.handoffs[0]?.toolName ?? tool;
        return scriptedModel([{ calls: [{ id: `hand-${++asked}`, tool, args: {} }] }]).getResponse(request);
      },
    };
    const agent = guard(pairWith(model), { ...QUICK, onStop: (stop) => void stops.push(stop) });

    await expect(new Runner().run(agent, "go", { maxTurns: 60 })).rejects.toThrow(ModelBehaviorError);
    expect(stops).toHaveLength(1);
  });

  it("hears of agents that are added as handoffs later", async () => {
    const { model, requests } = handingOff(10);
    const first = guard(new Agent({ name: PAIR[0], model }));
    first.handoffs.push(new Agent({ name: PAIR[1], model, handoffs: [first] }));
    await new Runner().run(first, "go", { maxTurns: 60 });

    expect(requests.map(({ systemInstructions }) => systemInstructions).join()).toContain(WORDS);
  });

  it("leaves the requests of a run with a few handoffs as they are, byte for byte", async () => {
    const bare = handingOff(4);
    const guarded = handingOff(4);
    const without = await new Runner().run(pairWith(bare.model), "go");
    const withGuard = await new Runner().run(guard(pairWith(guarded.model)), "go");

    expect(JSON.stringify(guarded.requests)).toBe(JSON.stringify(bare.requests));
    expect(JSON.stringify(withGuard.history)).toBe(JSON.stringify(without.history));
  });
});

import * as strands from "@strands-agents/sdk";
import { Agent, Swarm, tool } from "@strands-agents/sdk";
import * as multiagent from "@strands-agents/sdk/multiagent";
import { guard, type LoopStop, loopStop, type StrandsOptions } from "doomloop/strands";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { ScriptedModel } from "./scripted-model.ts";

const LENGTH = 90;

/** Runs a swarm of two agents that hand off to each other with these words; each may read a page first. */
async function handingOff(
  message: (at: number) => string,
  readers: readonly string[] = [],
  options: Partial<typeof QUICK> = {},
) {
  const stops: LoopStop[] = [];
  const onFault = (fault: unknown): never => {
    throw fault;
  };
  const guarding: StrandsOptions = {
    ...options,
    strands: { ...strands, ...multiagent },
    onStop: (stop) => void stops.push(stop),
    onFault,
  };
  let pages = 0;
  const read = tool({
    name: "read",
    description: "reads",
    inputSchema: z.object({}),
    callback: async () => `page ${++pages}`,
  });
  let handoffs = 0;
  const agentOf = (id: string, agentId: string): Agent => {
    const model = new ScriptedModel((messages) => {
      const hasRead = messages.some(({ content }) => content.some(({ type }) => type === "toolResultBlock"));
      if (readers.includes(id) && !hasRead) return [{ id: `read-${handoffs}`, tool: "read", args: {} }];
      const route = ++handoffs > LENGTH ? {} : { agentId };
      return [
        { id: `hand-${handoffs}`, tool: "strands_structured_output", args: { ...route, message: message(handoffs) } },
      ];
    });
    return new Agent(guard({ id, model, tools: [read], printer: false }, guarding));
  };
  const nodes = [agentOf("first", "second"), agentOf("second", "first")];
  const swarm = new Swarm(guard({ nodes, maxSteps: 100 }, guarding));
  let cancelled: string | undefined;
  swarm.addHook(multiagent.NodeCancelEvent, ({ message }) => {
    cancelled = message;
  });
  const result = await swarm.invoke("go");
  return { handoffs, status: result.status, stops, stop: loopStop(result), cancelled };
}

describe("guard, in a swarm", () => {
  it("ends agents that hand the same question to each other", async () => {
    const { handoffs, status, stops, stop, cancelled } = await handingOff(() => "Please answer.", [], QUICK);

    expect(handoffs).toBeLessThan(25);
    expect(stops[0]?.kind).toBe("call-cycle");
    expect(status).toBe("CANCELLED");
    expect(stop).toBe(stops[0]);
    expect(cancelled).toBe(stops[0]?.explanation);
  });

  it("leaves agents alone that say something new each time", async () => {
    const { handoffs, status, stop } = await handingOff((at) => `Version ${at} of the story. Please review it.`);

    expect(handoffs).toBe(LENGTH + 1);
    expect(status).toBe("COMPLETED");
    expect(stop).toBeUndefined();
  });

  it.each([
    { who: "both do something", readers: ["first", "second"] },
    { who: "one does something, and the other sends it to work", readers: ["second"] },
  ])("leaves agents alone of which $who each time", async ({ readers }) => {
    const { handoffs, status } = await handingOff(() => "It is your turn.", readers);

    expect(handoffs).toBe(LENGTH + 1);
    expect(status).toBe("COMPLETED");
  });
});

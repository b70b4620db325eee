import { Agent, Runner, RunState, tool } from "@openai/agents";
import { guard, type HostOptions, loopStop } from "doomloop/openai-agents";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { loopScript, QUICK } from "../../contracts/adapter-scripts.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const WORDS = "[doomloop]";
const BLOCKED = `${WORDS} Not run:`;

/** What a human says to a call that waits. */
type Decide = (state: RunState<unknown, Agent>) => RunState<unknown, Agent> | Promise<RunState<unknown, Agent>>;

const rejectAll =
  (more: object = {}): Decide =>
  (state) => {
    for (const item of state.getInterruptions()) state.reject(item, more);
    return state;
  };

type Options = HostOptions | "unguarded";

function agentOf(options: Options = QUICK, more: object = {}) {
  const parameters = z.object({ path: z.string() });
  const executed: unknown[] = [];
  const execute = (args: unknown) => {
    executed.push(args);
    return "nothing found";
  };
  const settings = { name: "read_file", description: "reads a file", parameters, needsApproval: true, execute };
  const read = tool({ ...settings, ...more });
  const bare = new Agent({ name: "agent", instructions: "Look.", tools: [read] });
  const agent = options === "unguarded" ? bare : guard(bare, { onFault: fail, ...options });
  return { agent, read, executed };
}

const fail = (fault: unknown): never => {
  throw fault;
};

/** Runs an agent that asks for the same call in each answer, until it ends or somebody was asked 20 times. */
async function ask(agent: Agent, decide: Decide, script = loopScript(20)) {
  const model = scriptedModel(script);
  const runner = new Runner({ model });
  let asked = 0;
  let result = await runner.run(agent, "go", { maxTurns: 30 });
  while (result.interruptions.length > 0 && asked < 20) {
    asked++;
    const state = await decide(result.state as RunState<unknown, Agent>);
    result = (await runner.run(state._currentAgent, state, { maxTurns: 30 })) as typeof result;
  }
  return { result, asked, model };
}

const instructionsOf = ({ requests }: ScriptedModel): string[] =>
  requests.map(({ systemInstructions = "" }) => systemInstructions);

describe("guard, with a human who rejects", () => {
  it("tells the agent, then refuses the call without asking, then ends the run", async () => {
    const without = await ask(agentOf("unguarded").agent, rejectAll());
    const { agent, executed } = agentOf();
    const { result, asked, model } = await ask(agent, rejectAll());
    const outputs = model.requests.map(({ input }) => JSON.stringify(input));

    expect(without.asked).toBe(20);
    expect(asked).toBe(4);
    expect(executed).toEqual([]);
    expect(instructionsOf(model).map((text) => text.includes(WORDS))).toEqual([false, false, false, true, true, false]);
    expect(outputs[4]).not.toContain(WORDS);
    expect(outputs[5]).toContain(BLOCKED);
    expect(loopStop(result)).toMatchObject({ tool: "read_file", kind: "repeated-call" });
    expect(result.finalOutput).toBe(loopStop(result)?.explanation);
  });
  it("does not take the time that a human needs for the agent's", async () => {
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 500));
    const { asked, model } = await ask(agentOf({}).agent, (state) => {
      now += 600_000;
      return rejectAll()(state);
    });
    clock.mockRestore();

    expect(instructionsOf(model).findIndex((text) => text.includes(WORDS))).toBe(3);
    expect(asked).toBeLessThan(12);
  });

  it("goes on asking a human who says something else with each rejection", async () => {
    let chapter = 0;
    const { asked } = await ask(agentOf({}).agent, (state) =>
      rejectAll({ message: `No. Chapter ${"abcdefghijklmnopqrstuvwxyz"[++chapter]} comes first.` })(state),
    );

    expect(asked).toBe(20);
  });

  it("runs a call that a human allows after all", async () => {
    const { agent, executed } = agentOf();
    let decided = 0;
    const { model } = await ask(
      agent,
      (state) => {
        return ++decided < 4 ? rejectAll()(state) : approveAll(state);
      },
      loopScript(4),
    );

    expect(executed).toHaveLength(1);
    expect(JSON.stringify(model.requests[4]?.input)).toContain("nothing found");
  });

  it("hands arguments to the tool's own policy as before, and asks where that asks", async () => {
    const seen: unknown[] = [];
    const needsApproval = async (_context: unknown, input: { path: string }) => {
      seen.push(input.path);
      return true;
    };
    const { asked } = await ask(agentOf(QUICK, { needsApproval }).agent, rejectAll());

    expect(asked).toBe(4);
    expect(new Set(seen)).toEqual(new Set(["notes.md"]));
  });

  it("rejects the run at the end, where that is asked for", async () => {
    const { agent } = agentOf("unguarded");
    const ended = ask(guard(agent, { ...QUICK, exitBehavior: "error" }), rejectAll());

    expect(loopStop(await ended.catch((error: unknown) => error))).toMatchObject({ tool: "read_file" });
  });

  it("hears of rejected calls of an agent that is a tool", async () => {
    const { agent } = agentOf();
    agent.model = scriptedModel(loopScript(20));
    const look = agent.asTool({ toolName: "look", toolDescription: "looks" });
    const calls = [{ id: "outer-1", tool: "look", args: { input: "go" } }];
    const { asked } = await ask(new Agent({ name: "outer", tools: [look] }), rejectAll(), [{ calls }]);

    expect(asked).toBe(4);
  });

  it("asks a human where its guardrail was taken away, and runs nothing that nobody allowed", async () => {
    const { agent, read, executed } = agentOf();
    const { asked } = await ask(agent, (state) => {
      read.inputGuardrails = [];
      return rejectAll()(state);
    });

    expect(asked).toBeGreaterThan(4);
    expect(executed).toEqual([]);
  });

  it("asks about the calls of another agent that has the same tool, and of other runs", async () => {
    const { agent, read } = agentOf();
    await ask(agent, rejectAll());
    const other = await ask(new Agent({ name: "other", tools: [read] }), rejectAll());
    const again = await ask(agent, rejectAll());

    expect(other.asked).toBe(20);
    expect(again.asked).toBe(4);
  });
});

const approveAll: Decide = (state) => {
  for (const item of state.getInterruptions()) state.approve(item);
  return state;
};

describe("guard, with runs that are stored as text while a human is asked", () => {
  type Restore = (state: RunState<unknown, Agent>) => Promise<RunState<unknown, Agent>>;

  const restoreWith =
    (agent: () => Agent): Restore =>
    async (state) =>
      (await RunState.fromString(agent(), state.toString())) as RunState<unknown, Agent>;

  /** Restores the state as another process does: with another copy of the adapter, which knows nothing. */
  const restoreElsewhere =
    (isTold: boolean, more: object = {}): Restore =>
    async (state) => {
      vi.resetModules();
      const elsewhere = await import("doomloop/openai-agents");
      const agent = elsewhere.guard(agentOf("unguarded", more).agent, { onFault: fail, ...QUICK });
      const restored = await restoreWith(() => agent)(state);
      return isTold ? elsewhere.guard(restored) : restored;
    };

  const storing =
    (restore: Restore, decide: Decide): Decide =>
    async (state) =>
      decide(await restore(state));

  it.each([
    { title: "rejects", decide: rejectAll(), asked: 4 },
    { title: "approves", decide: approveAll, asked: 6 },
  ])("knows a run again in the same process, if a human $title its calls", async ({ decide, asked }) => {
    const { agent } = agentOf();
    const same = await ask(
      agent,
      storing(
        restoreWith(() => agent),
        decide,
      ),
    );
    const anew = await ask(
      agentOf().agent,
      storing(
        restoreWith(() => agentOf().agent),
        decide,
      ),
    );

    expect([same.asked, anew.asked]).toEqual([asked, asked]);
    expect(same.result.finalOutput).toBe(loopStop(same.result)?.explanation);
    expect(anew.result.finalOutput).toBe(loopStop(anew.result)?.explanation);
    expect(loopStop(anew.result)).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file" });
  });

  it.each([
    { title: "rejects", decide: rejectAll(), asked: 4 },
    { title: "approves", decide: approveAll, asked: 6 },
  ])("goes on in another process that is told of the state, if a human $title its calls", async ({ decide, asked }) => {
    const untold = await ask(agentOf().agent, storing(restoreElsewhere(false), decide));
    const told = await ask(agentOf().agent, storing(restoreElsewhere(true), decide));

    expect(untold.asked).toBe(20);
    expect(told.asked).toBe(asked);
    expect(JSON.stringify(told.model.requests)).toContain(WORDS);
    expect(told.result.finalOutput).toBe(loopStop(told.result)?.explanation);
  });

  it("goes on in another process where results are objects, and words are in the instructions", async () => {
    const execute = () => ({ found: 0 });
    const restore = restoreElsewhere(true, { execute });
    const { asked, model, result } = await ask(agentOf(QUICK, { execute }).agent, storing(restore, approveAll));

    expect(asked).toBe(6);
    expect(instructionsOf(model).map((text) => text.includes(WORDS))).toEqual([false, false, false, true, true, false]);
    expect(loopStop(result)).toMatchObject({ tool: "read_file" });
  });

  it("tells the end of a restored run that ends at a rejection", async () => {
    const { agent } = agentOf({ ladder: ["stop"] });
    const restore = restoreWith(() => agent);
    const { result } = await ask(agent, storing(restore, rejectAll()));

    expect(loopStop(result)).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file" });
  });

  it("begins anew where two runs could be meant", async () => {
    const { agent } = agentOf();
    const runners = [1, 2].map(() => new Runner({ model: scriptedModel(loopScript(20)) }));
    let texts = await Promise.all(runners.map(async (runner) => (await runner.run(agent, "go")).state.toString()));
    for (let asked = 0; asked < 8; asked++) {
      const next = runners.map(async (runner, at) => {
        const state = await RunState.fromString(agent, texts[at]!);
        for (const item of state.getInterruptions()) state.reject(item);
        return (await runner.run(agent, state, { maxTurns: 30 })).state.toString();
      });
      texts = await Promise.all(next);
    }

    expect(texts.join().match(/call-9/)).not.toBeNull();
    expect(texts.join().includes(WORDS)).toBe(false);
  });

  it("hands on the state of an agent that is not guarded, and one that it cannot read", async () => {
    const { agent } = agentOf("unguarded");
    const { state } = await new Runner({ model: scriptedModel(loopScript()) }).run(agent, "go");

    expect(guard(state)).toBe(state);
    expect(guard({ currentAgent: agent } as never)).toEqual({ currentAgent: agent });
  });
});

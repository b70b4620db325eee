import { setTimeout } from "node:timers/promises";
import {
  Agent,
  handoff,
  type MCPServer,
  MemorySession,
  RunContext,
  Runner,
  RunState,
  ToolCallError,
  ToolGuardrailFunctionOutputFactory as ToolGuardrailAnswer,
  tool,
} from "@openai/agents";
import { type AgentEvent, createGuard } from "doomloop";
import { guard, type LoopStop } from "doomloop/openai-agents";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { HostDowngrade } from "../../../packages/doomloop/src/host/host-options.ts";
import { loopScript, QUICK } from "../../contracts/adapter-scripts.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

const WORDS = "[doomloop]";
const BLOCKED = `${WORDS} Not run:`;
const STOPPED = "Stopped: the agent";
const parameters = z.object({ path: z.string() });

type Execute = (args: { path: string }) => unknown;

function readFile(execute: Execute = () => "nothing found", more: object = {}) {
  return tool({ name: "read_file", description: "reads a file", parameters, execute, ...more });
}

/** The requests as text, to look for words in. */
function textsOf({ requests }: ScriptedModel): string[] {
  return requests.map(({ input }) => JSON.stringify(input));
}

/** The instructions of each request. */
function instructionsOf({ requests }: ScriptedModel): string[] {
  return requests.map(({ systemInstructions = "" }) => systemInstructions);
}

/** A guard that notes what it is told of. */
function recording() {
  const types: string[] = [];
  const own = createGuard(QUICK);
  const observe = (event: AgentEvent) => {
    types.push(event.type);
    return own.observe(event);
  };
  return { types, own: { ...own, observe } };
}

/** Runs the loop with one tool, guarded. */
async function runLoop(given: ReturnType<typeof readFile>, settings: object = {}, options: object = {}) {
  const model = scriptedModel(loopScript());
  const agent = guard(new Agent({ name: "agent", tools: [given], ...settings }), { ...QUICK, ...options });
  const result = await new Runner({ model }).run(agent, "go", { maxTurns: 30 });
  return { agent, result, texts: textsOf(model), instructions: instructionsOf(model) };
}

describe("guard", () => {
  it("gives the agent back that it was given, and ends its run with the explanation as final output", async () => {
    const agent = new Agent({ name: "agent", tools: [readFile()] });
    const stops: LoopStop[] = [];
    const guarded = guard(agent, { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const result = await new Runner({ model: scriptedModel(loopScript()) }).run(guarded, "go", { maxTurns: 30 });

    expect(guarded).toBe(agent);
    expect(result.finalOutput).toBe(stops[0]?.explanation);
    expect(stops[0]?.callId).toBe("call-6");
  });

  it("is shown as a guardrail in the run's result, and as nothing else", async () => {
    const { result } = await runLoop(readFile());

    expect(
      result.toolInputGuardrailResults.map(({ guardrail, output }) => `${guardrail.name} ${output.behavior.type}`),
    ).toEqual([...Array(4).fill("doomloop allow"), ...Array(2).fill("doomloop rejectContent")]);
  });

  it("puts words behind text parts", async () => {
    const { texts } = await runLoop(readFile(() => ({ type: "text", text: "nothing" })));

    expect(texts[3]).toContain(`nothing\\n\\n${WORDS}`);
  });

  it.each([
    { title: "an object", output: { found: "none", page: 1 } },
    { title: "JSON", output: '{"found":0}' },
    { title: "an image", output: { type: "image", image: "https://example.com/a.png" } },
  ])("leaves $title as it is, and speaks in the instructions of the next request alone", async ({ output }) => {
    const { texts, instructions, result } = await runLoop(
      readFile(() => output),
      { instructions: "Find it." },
    );
    const outputs = result.newItems.flatMap((item) => (item.type === "tool_call_output_item" ? [item.output] : []));

    expect(outputs.slice(0, 4)).toEqual(Array(4).fill(output));
    expect(instructions.map((each) => each.includes(WORDS))).toEqual([false, false, false, true, true, false]);
    expect(instructions[3]).toMatch(/^Find it\.\n\n\[doomloop\] /);
    expect(texts.slice(0, 5).join()).not.toContain(WORDS);
  });

  it("leaves images and bytes as they are, and blocks as ever", async () => {
    for (const output of [{ type: "image", image: "https://example.com/a.png" }, { bytes: new Uint8Array([1, 2]) }]) {
      const { texts } = await runLoop(readFile(() => output));

      expect(texts[4]).not.toContain(WORDS);
      expect(texts[5]).toContain(WORDS);
      expect(texts[5]).toContain(BLOCKED.slice(WORDS.length));
      expect(texts).toHaveLength(6);
    }
  });

  it("rejects with the very error of a tool that lets its errors out", async () => {
    const thrown = new TypeError("it broke");
    const fails = readFile(() => Promise.reject(thrown), { errorFunction: null });
    const rejected: unknown = await runLoop(fails).catch((error: unknown) => error);

    expect(rejected).toBeInstanceOf(ToolCallError);
    expect((rejected as ToolCallError).error).toBe(thrown);
  });

  it("sees a tool with an output schema, does not put words in its place, and ends the run", async () => {
    let runs = 0;
    const found = () => {
      runs++;
      return { found: 0 };
    };
    const typed = readFile(found, { outputSchema: z.object({ found: z.number() }) });
    const { texts, result } = await runLoop(typed);

    expect(runs).toBe(texts.length);
    expect(texts.length).toBeLessThan(10);
    expect(texts.join()).not.toContain(WORDS);
    expect(result.finalOutput).toContain(STOPPED);
  });

  it("comes after the guardrails that a tool has, so that they still replace what they object to", async () => {
    const secret = readFile(() => "the secret", {
      outputGuardrails: [{ name: "secrets", run: async () => ToolGuardrailAnswer.rejectContent("removed") }],
    });
    const { texts } = await runLoop(secret);

    expect(texts.join()).not.toContain("the secret");
    expect(texts[4]).toContain("removed");
    expect(texts[5]).toContain(BLOCKED);
    expect(texts).toHaveLength(6);
  });

  it("sees calls that another guardrail refuses", async () => {
    const refused = readFile(() => "never", {
      inputGuardrails: [{ name: "policy", run: async () => ToolGuardrailAnswer.rejectContent("not allowed") }],
    });
    const { texts, result } = await runLoop(refused);

    expect(texts.length).toBeLessThan(10);
    expect(result.finalOutput).toContain(STOPPED);
  });

  it("does not judge another agent that has the same tool", async () => {
    const shared = readFile();
    const model = scriptedModel(loopScript());
    guard(new Agent({ name: "guarded", tools: [shared] }));
    await new Runner({ model }).run(new Agent({ name: "other", tools: [shared] }), "go", { maxTurns: 30 });

    expect(model.requests).toHaveLength(11);
    expect(textsOf(model).join()).not.toContain(WORDS);
  });

  it("guards an agent once, however often it is asked to", async () => {
    const agent = guard(guard(new Agent({ name: "agent", tools: [readFile()] })));
    const result = await new Runner({ model: scriptedModel(loopScript(3)) }).run(agent, "go");

    expect(result.toolInputGuardrailResults).toHaveLength(3);
  });

  it("refuses what is neither an agent nor a state", () => {
    for (const given of [undefined, "agent", { name: "agent", tools: [] }]) {
      expect(() => guard(given as never)).toThrow("guard: an Agent, or a RunState, is required");
    }
  });

  it("tells of a tool that takes no guardrail, and guards the others", async () => {
    const faults: unknown[] = [];
    const frozen = Object.freeze(
      tool({ name: "read_page", description: "reads", parameters: z.object({}), execute: () => "" }),
    );
    const model = scriptedModel(loopScript());
    const agent = new Agent({ name: "agent", tools: [frozen, readFile()] });
    guard(agent, { ...QUICK, onFault: (fault) => void faults.push(fault) });
    await new Runner({ model }).run(agent, "go", { maxTurns: 30 });

    expect(faults).toHaveLength(1);
    expect(model.requests).toHaveLength(6);
  });

  it("guards tools that are added later", async () => {
    const model = scriptedModel(loopScript());
    const agent = guard(new Agent({ name: "agent", tools: [] }), QUICK);
    agent.tools.push(readFile());
    await new Runner({ model }).run(agent, "go", { maxTurns: 30 });

    expect(model.requests).toHaveLength(6);
  });

  it("guards the tools of an MCP server", async () => {
    let runs = 0;
    const server = mcpServer(() => {
      runs++;
      return [{ type: "text", text: "nothing found" }];
    });
    const model = scriptedModel(loopScript());
    const agent = guard(new Agent({ name: "agent", mcpServers: [server] }), QUICK);
    await new Runner({ model }).run(agent, "go", { maxTurns: 30 });

    expect(runs).toBe(4);
    expect(textsOf(model)[3]).toContain(`nothing found\\n\\n${WORDS}`);
    expect(model.requests).toHaveLength(6);
  });

  it("takes equal calls of one answer for one round where the host runs them one by one", async () => {
    const twins = [0, 1].map((at) => ({
      calls: [1, 2].map((twin) => ({ id: `${at}-${twin}`, tool: "read_file", args: { path: "x" } })),
    }));
    const model = scriptedModel(twins);
    const agent = guard(new Agent({ name: "agent", tools: [readFile()] }));
    await new Runner({ model, toolExecution: { maxFunctionToolConcurrency: 1 } }).run(agent, "go");

    expect(textsOf(model).join()).not.toContain(WORDS);
  });

  it("goes on where the server holds the conversation and a request has only what is new", async () => {
    const model = scriptedModel(loopScript());
    const agent = guard(new Agent({ name: "agent", tools: [readFile()] }), QUICK);
    await new Runner({ model }).run(agent, "go", { maxTurns: 30, conversationId: "conversation-1" });

    expect(model.requests.map(({ input }) => input.length)).toEqual([1, 1, 1, 1, 1, 1]);
    expect(textsOf(model).map((text) => text.includes(WORDS))).toEqual([false, false, false, true, true, true]);
  });

  it("leaves a session behind that the next run can go on with, every call answered", async () => {
    const session = new MemorySession();
    const agent = guard(new Agent({ name: "agent", tools: [readFile()] }), QUICK);
    await new Runner({ model: scriptedModel(loopScript()) }).run(agent, "go", { maxTurns: 30, session });
    const model = scriptedModel(loopScript(2));
    const result = await new Runner({ model }).run(agent, "go on", { session });
    const items = model.requests[0]?.input as { type?: string; callId?: string }[];
    const idsOf = (type: string) => items.filter((item) => item.type === type).map(({ callId }) => callId);

    expect(idsOf("function_call")).toHaveLength(6);
    expect(idsOf("function_call_result")).toEqual(idsOf("function_call"));
    expect(result.finalOutput).toBe("The script is over.");
  });

  it("uses a guard that is passed in for whatever happens", async () => {
    const { types, own } = recording();
    const model = scriptedModel(loopScript(2));
    const agent = guard(new Agent({ name: "agent", tools: [readFile()] }), { guard: own });
    await new Runner({ model }).run(agent, "go");

    expect(types).toEqual(["user", "user", "round", "call", "result", "round", "call", "result", "round"]);
  });

  it("takes a run with the context of an earlier one for the user's next words", async () => {
    const context = new RunContext({});
    const agent = guard(new Agent({ name: "agent", tools: [readFile()] }));
    const texts: string[] = [];
    for (let turn = 0; turn < 4; turn++) {
      const model = scriptedModel(loopScript(2));
      await new Runner({ model }).run(agent, "go", { context: context as never });
      texts.push(...textsOf(model));
    }

    expect(texts).toHaveLength(12);
    expect(texts.join()).not.toContain(WORDS);
  });
});

describe("guard, with a human who approves", () => {
  const asks = () => readFile(() => "nothing found", { needsApproval: async () => true });

  /** Approves whatever is asked, until the run is over or has asked too often. */
  async function approveAll(runner: Runner, agent: Agent) {
    let result = await runner.run(agent, "go", { maxTurns: 30 });
    let approvals = 0;
    while (result.interruptions.length > 0 && approvals < 20) {
      approvals++;
      for (const item of result.interruptions) result.state.approve(item);
      result = await runner.run(agent, result.state, { maxTurns: 30 });
    }
    return { result, approvals };
  }

  it("asks for each call, and judges it when it was approved", async () => {
    const model = scriptedModel(loopScript());
    const agent = guard(new Agent({ name: "agent", tools: [asks()] }), QUICK);
    const { result, approvals } = await approveAll(new Runner({ model }), agent);

    expect(approvals).toBe(6);
    expect(textsOf(model)[3]).toContain(WORDS);
    expect(result.finalOutput).toContain(STOPPED);
  });

  it("counts a call once that the host shows before and after the approval, and does not ask about a blocked one", async () => {
    const model = scriptedModel(loopScript());
    const { types, own } = recording();
    const agent = guard(new Agent({ name: "agent", tools: [asks()] }), { guard: own });
    const runner = new Runner({ model, toolExecution: { preApprovalInputGuardrails: true } });
    const { result, approvals } = await approveAll(runner, agent);

    expect(approvals).toBe(4);
    expect(types.filter((type) => type === "call")).toHaveLength(6);
    expect(textsOf(model).map((text) => text.includes(WORDS))).toEqual([false, false, false, true, true, true]);
    expect(result.finalOutput).toContain(STOPPED);
  });

  it("hands arguments to the tool's own policy as the host does: parsed", async () => {
    const asked: unknown[] = [];
    const policy = async (_context: unknown, args: unknown) => {
      asked.push(args);
      return false;
    };
    const loud = tool({
      name: "read_file",
      description: "reads a file",
      parameters: z.object({ path: z.string().toUpperCase() }),
      needsApproval: policy,
      execute: () => "nothing",
    });
    await new Runner({ model: scriptedModel(loopScript(1)) }).run(
      guard(new Agent({ name: "agent", tools: [loud] })),
      "go",
    );

    expect(asked).toEqual([{ path: "NOTES.MD" }]);
  });

  it("lets an interrupted run be stored, restored and given more input", async () => {
    const model = scriptedModel(loopScript(2));
    const agent = guard(new Agent({ name: "agent", tools: [asks()] }));
    const first = await new Runner({ model }).run(agent, "go");
    const state = await RunState.fromString(agent, first.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    state.addInput("more");
    const second = await new Runner({ model }).run(agent, state);

    expect(second.interruptions).toHaveLength(1);
    expect(textsOf(model)[1]).toContain("more");
  });
});

describe("guard, where an agent says when its run ends", () => {
  it("leaves toolUseBehavior alone until a run is to end, and gives it back to the next run", async () => {
    const { agent } = await runLoop(readFile(), { toolUseBehavior: "run_llm_again" });
    const seen: unknown[] = [];
    agent.on("agent_tool_start", () => void seen.push(agent.toolUseBehavior));
    const ended = agent.toolUseBehavior;
    await new Runner({ model: scriptedModel(loopScript(2)) }).run(agent, "go");

    expect(ended).toBeTypeOf("function");
    expect(seen).toEqual(["run_llm_again", "run_llm_again"]);
  });

  it("asks the agent's own function first in every run that is not to end", async () => {
    let asked = 0;
    const toolUseBehavior = () => {
      asked++;
      return { isFinalOutput: false, isInterrupted: undefined } as const;
    };
    const { result, texts } = await runLoop(readFile(), { toolUseBehavior });

    expect(asked).toBe(5);
    expect(texts).toHaveLength(6);
    expect(result.finalOutput).toContain(STOPPED);
  });

  it("keeps the names of tools that end a run, for a run beside one that it ends", async () => {
    const started = gate();
    const released = gate();
    const readPage = tool({
      name: "read_page",
      description: "reads",
      parameters: z.object({}),
      async execute() {
        started.open();
        await released.opened;
        return { page: 1 };
      },
    });
    const toolUseBehavior = { stopAtToolNames: ["read_page"] };
    const agent = guard(new Agent({ name: "agent", tools: [readPage, readFile()], toolUseBehavior }), QUICK);
    const reading = new Runner({ model: scriptedModel([{ calls: [{ id: "page-1", tool: "read_page", args: {} }] }]) });
    const beside = reading.run(agent, "go");
    await started.opened;
    const looping = await new Runner({ model: scriptedModel(loopScript()) }).run(agent, "go", { maxTurns: 30 });
    released.open();

    expect(looping.finalOutput).toContain(STOPPED);
    expect(agent.toolUseBehavior).toBeTypeOf("function");
    expect((await beside).finalOutput).toBe('{"page":1}');
  });

  it("blocks instead where the final output has a type, and says so", async () => {
    const downgrades: HostDowngrade[] = [];
    const model = scriptedModel([...loopScript(), { text: '{"answer":"none"}' }]);
    const agent = new Agent({ name: "agent", tools: [readFile()], outputType: z.object({ answer: z.string() }) });
    guard(agent, { ...QUICK, onDowngrade: (downgrade) => void downgrades.push(downgrade) });
    const result = await new Runner({ model }).run(agent, "go", { maxTurns: 30 });

    expect(downgrades.map(({ decided, done }) => `${decided} ${done}`)).toEqual(["stop block"]);
    expect(result.finalOutput).toEqual({ answer: "none" });
  });
});

describe("guard, with several agents", () => {
  /** Two agents that hand the same work to each other: each makes the call once, then hands over. */
  function pingPong(rounds: number) {
    return scriptedModel(
      Array.from({ length: rounds }, (_, at) => [
        { calls: [{ id: `call-${at}`, tool: "read_file", args: { path: "x" } }] },
        { calls: [{ id: `hand-${at}`, tool: `transfer_to_${at % 2 === 0 ? "second" : "first"}`, args: {} }] },
      ]).flat(),
    );
  }

  it("guards the agents that it can hand off to, with one guard a run", async () => {
    const first: Agent = new Agent({ name: "first", tools: [readFile()] });
    const second: Agent = new Agent({ name: "second", tools: [readFile()], handoffs: [first] });
    first.handoffs = [handoff(second)];
    const model = pingPong(10);
    const result = await new Runner({ model }).run(guard(first, QUICK), "go", { maxTurns: 40 });

    expect(textsOf(model)[5]).toContain(WORDS);
    expect(result.finalOutput).toContain(STOPPED);
    expect(model.requests).toHaveLength(11);
  });

  it("gives each run of an agent that is a tool a guard that begins anew", async () => {
    const inner = guard(new Agent({ name: "inner", tools: [readFile()], model: scriptedModel([]) }));
    const texts: string[] = [];
    const ask = inner.asTool({ toolName: "ask", toolDescription: "asks" });
    const outer = guard(new Agent({ name: "outer", tools: [ask] }));
    outer.on("agent_tool_start", () => {
      const model = scriptedModel(loopScript(2));
      inner.model = model;
      const { getResponse } = model;
      model.getResponse = (request) => {
        texts.push(JSON.stringify(request.input));
        return getResponse(request);
      };
    });
    const asks = [1, 2, 3].map((at) => ({ calls: [{ id: `ask-${at}`, tool: "ask", args: { input: `${at}` } }] }));
    await new Runner({ model: scriptedModel(asks) }).run(outer, "go");

    expect(texts).toHaveLength(9);
    expect(texts.join()).not.toContain(WORDS);
  });

  it("guards an agent that became a tool before it was guarded, and tells the outer run nothing of its calls", async () => {
    const stops: unknown[] = [];
    const onStop = ({ message }: LoopStop) => void stops.push(message);
    const innerModel = scriptedModel(loopScript(12));
    const inner = new Agent({ name: "inner", tools: [readFile()], model: innerModel });
    const ask = inner.asTool({ toolName: "ask", toolDescription: "asks", runOptions: { maxTurns: 30 } });
    guard(inner, { ...QUICK, onStop });
    const { types, own } = recording();
    const outer = guard(new Agent({ name: "outer", tools: [ask] }), { guard: own });
    const outerModel = scriptedModel([{ calls: [{ id: "ask-1", tool: "ask", args: { input: "where is it" } }] }]);
    outer.model = outerModel;
    const result = await new Runner().run(outer, "go");

    expect(innerModel.requests).toHaveLength(6);
    expect(stops).toHaveLength(1);
    expect(types).toEqual(["user", "user", "round", "call", "result", "round"]);
    expect(result.finalOutput).toBe("The script is over.");
  });

  it("does not count the calls of an agent that is a tool and a handoff into the run that calls it", async () => {
    const { types, own } = recording();
    const inner = new Agent({ name: "inner", tools: [readFile()], model: scriptedModel(loopScript(2)) });
    const ask = inner.asTool({ toolName: "ask", toolDescription: "asks" });
    const outer = new Agent({ name: "outer", tools: [ask], handoffs: [inner] });
    let guards = 0;
    guard(outer, { createGuard: () => (guards++ === 0 ? own : createGuard()) });
    outer.model = scriptedModel([{ calls: [{ id: "ask-1", tool: "ask", args: { input: "where is it" } }] }]);
    await new Runner().run(outer, "go");

    expect(guards).toBe(2);
    expect(types).toEqual(["user", "user", "round", "call", "result", "round"]);
  });

  it("says nothing to runs of one agent that is a tool and is asked several things at once", async () => {
    const texts: string[] = [];
    // Each run makes the same call twice, by what it has in its own conversation.
    const model: ScriptedModel = {
      ...scriptedModel([]),
      getResponse(request) {
        texts.push(JSON.stringify(request.input));
        const made = (request.input as { type?: string }[]).filter(({ type }) => type === "function_call").length;
        const call = { id: `call-${texts.length}`, tool: "read_file", args: { path: "x" } };
        return scriptedModel([made < 2 ? { calls: [call] } : { text: "done" }]).getResponse(request);
      },
    };
    let calls = 0;
    const drifting = readFile(() => setTimeout(5 * ++calls, "nothing found"));
    const inner = guard(new Agent({ name: "inner", tools: [drifting], model }));
    const ask = inner.asTool({ toolName: "ask", toolDescription: "asks" });
    const outer = guard(new Agent({ name: "outer", tools: [ask] }));
    outer.model = scriptedModel([
      { calls: [1, 2, 3, 4].map((at) => ({ id: `ask-${at}`, tool: "ask", args: { input: `${at}` } })) },
    ]);
    await new Runner().run(outer, "go");

    expect(texts).toHaveLength(12);
    expect(texts.join()).not.toContain(WORDS);
  });

  it("sees a loop of calls of an agent that it can also hand off to", async () => {
    const text =
      "I looked in every room, in the garden and in the cellar, and it was in none of them. Nobody has seen it. ".repeat(
        2,
      );
    const inner = new Agent({ name: "inner", model: scriptedModel(Array.from({ length: 10 }, () => ({ text }))) });
    const ask = inner.asTool({ toolName: "ask", toolDescription: "asks" });
    const outer = guard(new Agent({ name: "outer", tools: [ask], handoffs: [inner] }), QUICK);
    const asks = Array.from({ length: 10 }, (_, at) => ({
      calls: [{ id: `ask-${at}`, tool: "ask", args: { input: "where is it" } }],
    }));
    const model = scriptedModel(asks);
    outer.model = model;
    await new Runner().run(outer, "go", { maxTurns: 30 });

    expect(model.requests.some((request) => JSON.stringify(request).includes(WORDS))).toBe(true);
  });
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function mcpServer(callTool: () => { type: string; text: string }[]): MCPServer {
  const inputSchema = {
    type: "object",
    properties: { path: { type: "string" } },
    required: ["path"],
    additionalProperties: false,
  } as const;
  return {
    name: "library",
    cacheToolsList: false,
    connect: async () => {},
    close: async () => {},
    listTools: async () => [{ name: "read_file", description: "reads a file", inputSchema }],
    callTool: async () => callTool(),
    invalidateToolsCache: async () => {},
  } as unknown as MCPServer;
}

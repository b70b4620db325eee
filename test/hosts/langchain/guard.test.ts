import { type AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { AgentEvent } from "doomloop";
import { createGuard } from "doomloop";
import { guard, type HostOptions, type LoopStop, loopStop } from "doomloop/langchain";
import { createMiddleware, humanInTheLoopMiddleware, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { Middleware } from "../../../packages/doomloop/src/adapters/langchain/middleware.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import { agentOf, anyTool, countOf, looping, onThread, runWith, WORDS } from "./run-agent.ts";

const nothing = () => anyTool("read_file", () => "nothing found");

describe("guard", () => {
  it("puts its middleware before those of the configuration, and changes nothing else", () => {
    const other = createMiddleware({ name: "other" });
    const config = { model: "a:b", tools: [nothing()], middleware: [other] };
    const guarded = guard(config);

    expect(guarded).toEqual({ ...config, middleware: [expect.objectContaining({ name: "doomloop" }), other] });
    expect(guard({ model: "a:b" })).toMatchObject({ middleware: [{ name: "doomloop" }] });
    expect(config.middleware).toEqual([other]);
  });

  it("guards a configuration once", () => {
    const guarded = guard({ model: "a:b" });

    expect(guard(guarded)).toBe(guarded);
  });

  it("refuses what is neither a configuration nor a ToolNode", () => {
    for (const given of [undefined, "a:b", agentOf([nothing()])]) {
      expect(() => guard(given as never)).toThrow(
        "guard: the configuration of createAgent, or a ToolNode, is required",
      );
    }
  });

  it("leaves its reason as the last word of the conversation, with all calls answered", async () => {
    const stops: LoopStop[] = [];
    const options = { ...QUICK, onStop: (stop: LoopStop) => void stops.push(stop) };
    const { messages } = await runWith(agentOf([nothing()], options), looping());

    expect(messages.at(-1)?.type).toBe("ai");
    expect(messages.at(-1)?.content).toBe(stops[0]?.explanation);
    expect(messages.at(-2)).toMatchObject({ type: "tool", status: "error", tool_call_id: "call-6", name: "read_file" });
    expect(stops[0]).toMatchObject({ callId: "call-6", status: "LOOP_DETECTED", tool: "read_file" });
  });

  it("breaks the loop before the host's own limit of steps does", async () => {
    const { requests } = await runWith(agentOf([nothing()], QUICK), looping(), { recursionLimit: 25 });

    expect(requests).toHaveLength(6);
  });

  it("guards an agent whose calls run in one task, and leaves the last hook its turn", async () => {
    let ends = 0;
    const last = createMiddleware({ name: "last", afterAgent: () => void ends++ });
    const agent = agentOf([nothing()], QUICK, { middleware: [last], version: "v1" });
    const { requests } = await runWith(agent, looping());

    expect(requests).toHaveLength(6);
    expect(ends).toBe(1);
  });

  it("takes no step of the host's limit", async () => {
    const page = anyTool("read_page", (args) => JSON.stringify(args));
    const script = Array.from({ length: 5 }, (_, at) => ({
      calls: [{ id: `page-${at}`, tool: "read_page", args: { page: at } }],
    }));
    const run = (options: object | undefined, recursionLimit: number) =>
      runWith(agentOf([page], options), script, { recursionLimit });

    for (const options of [undefined, {}]) {
      expect((await run(options, 12)).requests).toHaveLength(6);
      await expect(run(options, 11)).rejects.toThrow("Recursion limit");
    }
  });

  it("does nothing in a host that is too old for it, and says so once", async () => {
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => void faults.push(fault);
    const { middleware } = guard({ model: "", middleware: [] as unknown as [Middleware] }, { onFault });
    const [{ wrapModelCall }] = middleware;
    const messages = [new HumanMessage({ content: "go", id: "a" })];
    const request = { messages, state: { messages }, runtime: { writer: () => undefined } };
    const answer = { type: "ai", content: "", tool_calls: [{ id: "b", name: "read_file", args: {} }] };
    for (let at = 0; at < 9; at++) expect(await wrapModelCall(request, async () => answer)).toBe(answer);

    expect(faults.map(String)).toEqual(["Error: guard: langchain 1.2.28 or later is required"]);
  });

  it("ends the run where the end was decided at a result", async () => {
    const agent = agentOf([nothing()], { ladder: ["stop"] });
    const { requests, messages } = await runWith(agent, looping());

    expect(requests).toHaveLength(3);
    expect(messages.map(({ type }) => type).slice(-3)).toEqual(["ai", "tool", "ai"]);
    expect(loopStop(messages)?.explanation).toBe(messages.at(-1)?.content);
  });

  it("keeps what the host makes of a tool's error", async () => {
    const fails = anyTool("read_file", () => Promise.reject(new TypeError("it broke")));
    const { prompts } = await runWith(agentOf([fails], {}), looping(4));

    expect(prompts[1]).toContain("TypeError: it broke\\n Please fix your mistakes.");
    expect(prompts[3]).toContain(`TypeError: it broke\\n Please fix your mistakes.\\n\\n${WORDS}`);
  });

  it("hands on the very error of a tool where another middleware lets it through", async () => {
    const thrown = new TypeError("it broke");
    const passing = createMiddleware({ name: "passing", wrapToolCall: (request, handler) => handler(request) });
    const agent = agentOf([anyTool("read_file", () => Promise.reject(thrown))], {}, { middleware: [passing] });

    await expect(runWith(agent, looping(2))).rejects.toBe(thrown);
  });

  it("hands on the very error of the model", async () => {
    const thrown = new RangeError("too many requests");
    const answers = Object.defineProperty([], 0, {
      get() {
        throw thrown;
      },
    });

    await expect(runWith(agentOf([nothing()], {}), answers)).rejects.toBe(thrown);
  });

  it("blocks one call of an answer and lets the other run", async () => {
    const pages: unknown[] = [];
    const page = anyTool("read_page", (args) => `page ${pages.push(args)}`);
    const script = looping(5).map(({ calls = [] }, at) => ({
      calls: [...calls, { id: `page-${at}`, tool: "read_page", args: { page: at } }],
    }));
    const options: HostOptions = { rules: { read_file: { repeat: "never" } } };
    const { requests, messages } = await runWith(agentOf([nothing(), page], options), script);
    const refused = messages.filter((message) => (message as ToolMessage).status === "error");

    expect(pages).toHaveLength(5);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ name }) => name === "read_file")).toBe(true);
    expect(requests.flatMap((request) => protocolFaults(request.messages))).toEqual([]);
  });

  it("ends the run after the calls have run that stand before the one it ends with", async () => {
    let pages = 0;
    const page = anyTool("read_page", () => `page ${++pages}`);
    const script = looping(6);
    script[5] = { calls: [{ id: "page", tool: "read_page", args: { page: 1 } }, ...script[5]!.calls!] };
    const { requests, messages } = await runWith(agentOf([nothing(), page], QUICK), script);

    expect(requests).toHaveLength(6);
    expect(pages).toBe(1);
    expect(messages.slice(-4).map(({ type }) => type)).toEqual(["ai", "tool", "tool", "ai"]);
  });

  it("leaves a call alone that another middleware has answered", async () => {
    const page = anyTool("read_page", (args) => JSON.stringify(args));
    const script = looping(8).map(({ calls = [] }, at) => ({
      calls: [...calls, { id: `page-${at}`, tool: "read_page", args: { page: at } }],
    }));
    const limit = createMiddleware({
      name: "limit",
      afterModel: ({ messages }) => {
        const call = (messages.at(-1) as AIMessage).tool_calls?.find(({ name }) => name === "read_file");
        const content = "The limit is reached.";
        return call && { messages: [new ToolMessage({ content, tool_call_id: call.id!, status: "error" })] };
      },
    });
    const { requests } = await runWith(agentOf([nothing(), page], {}, { middleware: [limit] }), script);

    expect(requests).toHaveLength(9);
    expect(requests.flatMap(({ messages }) => protocolFaults(messages))).toEqual([]);
  });

  it("puts words behind content parts, and keeps id and artifact of the result", async () => {
    const given: ToolMessage[] = [];
    const parts = anyTool("read_file", (_args, config) => {
      const { toolCall } = config as { toolCall: { id: string } };
      const content = [{ type: "text", text: "nothing" }];
      given.push(new ToolMessage({ content, tool_call_id: toolCall.id, name: "read_file", artifact: { found: 0 } }));
      return given.at(-1);
    });
    const { messages } = await runWith(agentOf([parts], {}), looping(3));
    const last = messages.findLast(ToolMessage.isInstance)!;

    expect(last.content).toEqual([
      { type: "text", text: "nothing" },
      { type: "text", text: expect.stringContaining(WORDS) },
    ]);
    expect(last.id).toBe(given.at(-1)?.id);
    expect(last.artifact).toEqual({ found: 0 });
    expect(given.at(-1)?.content).toHaveLength(1);
    expect(JSON.stringify(last.toDict())).toContain(WORDS);
  });

  it("sees the loop beside a reminder that another middleware adds to every request", async () => {
    const remind = createMiddleware({
      name: "remind",
      beforeModel: () => ({ messages: [new HumanMessage("Remember the task.")] }),
    });
    for (const isGuardLast of [false, true]) {
      const agent = agentOf([nothing()], QUICK, { middleware: [remind], isGuardLast });
      const { requests } = await runWith(agent, looping());

      expect(requests).toHaveLength(6);
    }
  });

  it("leaves a structured answer as it is", async () => {
    const responseFormat = toolStrategy(z.object({ found: z.number() }));
    const [{ name }] = responseFormat as unknown as [{ name: string }];
    const script = [...looping(2), { calls: [{ id: "end", tool: name, args: { found: 0 } }] }];
    const bare = await runWith(agentOf([nothing()], undefined, { responseFormat }), script);
    const guarded = await runWith(agentOf([nothing()], {}, { responseFormat }), script);

    expect(bare).toMatchObject({ structuredResponse: { found: 0 } });
    expect(guarded).toMatchObject({ structuredResponse: { found: 0 } });
    expect(JSON.stringify(guarded.requests)).toBe(JSON.stringify(bare.requests));
    expect(guarded.messages.map(({ type }) => type)).toEqual(bare.messages.map(({ type }) => type));
  });

  it("tells a guard that is passed in of rounds, calls, results and the user", async () => {
    const types: string[] = [];
    const own = createGuard();
    const observe = (event: AgentEvent) => {
      types.push(event.type);
      return own.observe(event);
    };
    await runWith(agentOf([nothing()], { guard: { ...own, observe } }), looping(2));

    expect(types).toEqual(["user", "user", "round", "call", "result", "round", "call", "result", "round", "text"]);
  });
});

describe("guard, with runs of many", () => {
  it("keeps runs apart that share the very message they begin with", async () => {
    const agent = agentOf([anyTool("read_file", async () => "nothing")], {});
    const input = { messages: [new HumanMessage("go")] };
    const runs = await Promise.all([1, 2, 3, 4].map(() => runWith(agent, looping(2), {}, input)));

    expect(runs.flatMap(({ prompts }) => prompts.map((prompt) => countOf(prompt)))).toEqual(Array(12).fill(0));
  });

  it("gives each run of an agent inside of a tool a guard of its own", async () => {
    const prompts: string[] = [];
    const inner = agentOf([nothing(), anyTool("read_page", async () => "a page")], {});
    const delegate = anyTool("delegate", async (args) => {
      const { pages } = args as { pages: number };
      // They begin at one time and come to the same call one after the other.
      const reading = Array.from({ length: pages }, (_, page) => ({
        calls: [{ id: `page-${page}`, tool: "read_page", args: { page } }],
      }));
      prompts.push(...(await runWith(inner, [...reading, ...looping(2)])).prompts);
      return "done";
    });
    const calls = [0, 1, 2, 3].map((pages) => ({ id: `d-${pages}`, tool: "delegate", args: { pages } }));
    await runWith(agentOf([delegate]), [{ calls }]);
    await runWith(agentOf([delegate], undefined, { checkpointer: new MemorySaver() }), [{ calls }], onThread("outer"));

    expect(prompts).toHaveLength(36);
    expect(prompts.filter((prompt) => prompt.includes(WORDS))).toEqual([]);
  });

  it("breaks the loop of an agent inside of a tool", async () => {
    const lengths: number[] = [];
    const inner = agentOf([nothing()], QUICK);
    const delegate = anyTool("delegate", async () => {
      lengths.push((await runWith(inner, looping())).requests.length);
      return "done";
    });
    await runWith(agentOf([delegate]), looping(1, "delegate"));
    await runWith(
      agentOf([delegate], undefined, { checkpointer: new MemorySaver() }),
      looping(1, "delegate"),
      onThread("a"),
    );

    expect(lengths).toEqual([6, 6]);
  });

  it("takes a thread's next turn for what it is: one call each turn is no loop", async () => {
    const agent = agentOf([nothing()], {}, { checkpointer: new MemorySaver() });
    const prompts: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      prompts.push(...(await runWith(agent, looping(1, "read_file", turn), onThread("a"))).prompts);
    }

    expect(prompts).toHaveLength(12);
    expect(prompts.filter((prompt) => prompt.includes(WORDS))).toEqual([]);
  });

  it("lets a thread go on that was ended, when the user speaks", async () => {
    const stops: LoopStop[] = [];
    const options = { ...QUICK, onStop: (stop: LoopStop) => void stops.push(stop) };
    const agent = agentOf([nothing()], options, { checkpointer: new MemorySaver() });
    await runWith(agent, looping(), onThread("a"));
    const { requests, prompts } = await runWith(agent, looping(2, "read_file", 20), onThread("a"));

    expect(stops.map(({ run }) => run)).toEqual(["a"]);
    expect(requests).toHaveLength(3);
    expect(prompts[0]).toContain(`nothing found\\n\\n${WORDS}`);
    expect(requests.flatMap(({ messages }) => protocolFaults(messages))).toEqual([]);
  });
});

describe("guard, beside a human who must agree", () => {
  const orders = [
    { order: "before", isGuardLast: false },
    { order: "behind", isGuardLast: true },
  ];

  it.each(orders)("sees a loop of approved calls, standing $order the approval", async ({ isGuardLast }) => {
    const { ask, executed } = approvedLoop(isGuardLast, QUICK);
    const asked = await ask({ type: "approve" });

    expect(executed).toHaveLength(4);
    expect(asked.prompts.map((prompt) => prompt.includes(WORDS)).slice(0, 4)).toEqual([false, false, false, true]);
    expect(asked.prompts).toHaveLength(6);
    expect(asked.interrupts).toBeGreaterThanOrEqual(4);
  });

  it.each(orders)("runs nothing that the human rejects, standing $order the approval", async ({ isGuardLast }) => {
    const { ask, executed } = approvedLoop(isGuardLast, {});
    const { interrupts } = await ask({ type: "reject", message: "no" });

    expect(executed).toEqual([]);
    expect(interrupts).toBeGreaterThan(0);
  });

  function approvedLoop(isGuardLast: boolean, options: HostOptions) {
    const executed: unknown[] = [];
    const tool = anyTool("read_file", (args) => {
      executed.push(args);
      return "nothing found";
    });
    const human = humanInTheLoopMiddleware({ interruptOn: { read_file: true } } as never);
    const agent = agentOf([tool], options, { middleware: [human], isGuardLast, checkpointer: new MemorySaver() });
    const ask = async (decision: object) => {
      const script = looping();
      const prompts: string[] = [];
      let run = await runWith(agent, script, onThread("a"));
      let interrupts = 0;
      while (run.__interrupt__ !== undefined) {
        interrupts++;
        prompts.push(...run.prompts);
        const resume = new Command({ resume: { decisions: [decision] } });
        run = await runWith(agent, script.slice(prompts.length), onThread("a"), resume);
      }
      return { prompts: [...prompts, ...run.prompts], interrupts };
    };
    return { ask, executed };
  }
});

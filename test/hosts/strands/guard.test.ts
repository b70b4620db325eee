import * as strands from "@strands-agents/sdk";
import {
  AfterModelCallEvent,
  AfterToolCallEvent,
  AfterToolsEvent,
  Agent,
  type AgentConfig,
  BeforeToolCallEvent,
  InterruptResponseContent,
  TextBlock,
  ToolResultBlock,
  tool,
} from "@strands-agents/sdk";
import { HumanInTheLoop } from "@strands-agents/sdk/vended-interventions/hitl";
import { type AgentEvent, createGuard, type Decision } from "doomloop";
import { createCountingGuard } from "doomloop/counting";
import { guard, type LoopStop, loopStop, type StrandsOptions } from "doomloop/strands";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { StrandsPlugin } from "../../../packages/doomloop/src/adapters/strands/guard.ts";
import type { HostOptions } from "../../../packages/doomloop/src/host/host-options.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type Piece, ScriptedModel } from "./scripted-model.ts";

const WORDS = "[doomloop]";

/** A model that makes the same call until it was asked so often, and notes what it was asked. */
function loopingModel(calls = 10, others: readonly Piece[] = []) {
  const requests: string[] = [];
  const model = new ScriptedModel((messages) => {
    requests.push(JSON.stringify(messages));
    if (requests.length > calls) return [{ text: "The end." }];
    return [{ id: `call-${requests.length}`, tool: "read_file", args: { path: "x" } }, ...others];
  });
  return { model, requests };
}

const readFile = (callback: () => unknown = () => "nothing") =>
  tool({
    name: "read_file",
    description: "reads a file",
    inputSchema: z.object({ path: z.string() }),
    callback: async () => callback() as string,
  });

const fail = (fault: unknown): never => {
  throw fault;
};

const agentOf = (
  model: ScriptedModel,
  more: AgentConfig = {},
  options: HostOptions = { ...QUICK, onFault: fail },
): Agent => new Agent(guard({ model, tools: [readFile()], printer: false, ...more }, { ...options, strands }));

/** A guard that continues, and notes what it observes. */
function listening() {
  const events: AgentEvent[] = [];
  const observe = (event: AgentEvent): Decision => {
    events.push(event);
    return { action: "continue" };
  };
  return { own: { ...createGuard(), observe }, events };
}

/** Our plugin, as it is in a configuration. */
const pluginOf = (options: HostOptions = {}) =>
  (guard({}, { ...options, strands }) as { plugins: StrandsPlugin[] }).plugins[0]!;

describe("guard", () => {
  it("refuses a package that lacks what it needs, when it is wired", () => {
    const wire = (options: unknown) => () => guard({}, options as StrandsOptions);

    expect(wire({ strands: {} })).toThrow("strands: MessageAddedEvent of @strands-agents/sdk is required");
    expect(wire(undefined)).toThrow("is required, got none");
    expect(wire({ strands: { ...strands, TextBlock: undefined } })).toThrow("TextBlock");
  });

  it("keeps the configuration with the caller's plugins, and does not change the caller's", () => {
    const other = { name: "other", initAgent: () => undefined };
    const config = Object.freeze({ printer: false, plugins: Object.freeze([other]) });
    const guarded = guard(config, { strands });

    expect(guarded.plugins.map(({ name }) => name)).toEqual(["other", "doomloop"]);
    expect(guarded.printer).toBe(false);
    expect(config.plugins).toHaveLength(1);
  });

  it("replaces an earlier guard, because Strands rejects two plugins of one name", async () => {
    const { model, requests } = loopingModel();
    const config = { model, tools: [readFile()], printer: false };
    const once = guard(config, { strands, preset: "shadow" });
    await new Agent(guard(once, { ...QUICK, strands })).invoke("go");

    expect(requests).toHaveLength(6);
  });

  it("puts words behind an object, and keeps the result's state and error", async () => {
    const found = loopingModel();
    await agentOf(found.model, { tools: [readFile(() => ({ hits: 0 }))] }).invoke("go");
    const results: AfterToolCallEvent["result"][] = [];
    const thrown = new Error("it broke");
    const agent = agentOf(loopingModel(4).model, { tools: [readFile(() => fail(thrown))] });
    for await (const event of agent.stream("go")) if (event.type === "afterToolCallEvent") results.push(event.result);

    expect(found.requests[2]).not.toContain(WORDS);
    expect(found.requests[3]).toContain(`{"json":{"hits":0}},{"text":"${WORDS}`);
    expect(results.map(({ status, error }) => [status, error === thrown])).toEqual(Array(4).fill(["error", true]));
    expect(results.map(({ content }) => content.length)).toEqual([1, 1, 2, 2]);
  });

  it("tells the guard plain data, and which calls failed", async () => {
    const { own, events } = listening();
    await agentOf(loopingModel(1).model, { tools: [readFile(() => ({ hits: 0 }))] }, { guard: own }).invoke("go");
    await agentOf(loopingModel(1).model, { tools: [] }, { guard: own }).invoke("go");

    expect(events.map(({ type }) => type).slice(0, 6)).toEqual(["user", "user", "round", "call", "result", "round"]);
    expect(events[4]).toMatchObject({ output: { hits: 0 }, error: false });
    expect(events[11]).toMatchObject({ output: "Tool 'read_file' not found in registry", error: true });
  });

  it("passes on what a tool says of itself", async () => {
    const { own, events } = listening();
    const hinted = readFile();
    Object.assign(hinted.toolSpec, { annotations: { readOnlyHint: true } });
    await agentOf(loopingModel(1).model, { tools: [hinted] }, { guard: own }).invoke("go");

    expect(events.find(({ type }) => type === "call")).toMatchObject({ readOnly: true });
  });

  it("comes behind the hooks of others: words stay behind what they make of a result", async () => {
    const { model, requests } = loopingModel();
    const agent = agentOf(model, { tools: [readFile(() => "a secret")] });
    agent.addHook(AfterToolCallEvent, (event) => {
      const { toolUseId, status } = event.result;
      event.result = new ToolResultBlock({ toolUseId, status, content: [new TextBlock("redacted")] });
    });
    await agent.invoke("go");

    expect(requests[3]).toContain(`{"text":"redacted"},{"text":"${WORDS}`);
    expect(requests.join()).not.toContain("a secret");
  });

  it("takes a call that another hook has made again for one call", async () => {
    let executed = 0;
    const { own, events } = listening();
    const tools = [readFile(() => `${++executed && "nothing"}`)];
    const agent = agentOf(loopingModel(1).model, { tools }, { guard: own });
    agent.addHook(AfterToolCallEvent, (event) => {
      if (executed < 6) event.retry = true;
    });
    await agent.invoke("go");

    expect(executed).toBe(6);
    expect(events.map(({ type }) => type)).toEqual(["user", "user", "round", "call", "result", "round", "text"]);
  });

  it("takes a call for one that waits for a human and is then run", async () => {
    const { own, events } = listening();
    const agent = agentOf(loopingModel(1).model, { interventions: [new HumanInTheLoop()] }, { guard: own });
    const interruptId = (await agent.invoke("go")).interrupts!.at(0)!.id;
    await agent.invoke([new InterruptResponseContent({ interruptId, response: "y" })]);

    expect(events.map(({ type }) => type)).toEqual(["user", "user", "round", "call", "result", "round", "text"]);
  });

  it("hears words and thoughts once, before the calls of the answer", async () => {
    const { own, events } = listening();
    const model = new ScriptedModel((messages) =>
      messages.length > 1
        ? [{ text: "The end." }]
        : [{ reasoning: "Hm." }, { text: "I look." }, { id: "call-1", tool: "read_file", args: { path: "x" } }],
    );
    const agent = agentOf(model, {}, { guard: own });
    let answers = 0;
    agent.addHook(AfterModelCallEvent, (event) => {
      // The first answer is thrown away, and the model is asked again.
      event.retry = ++answers === 1;
    });
    await agent.invoke("go");

    const heard = events.map((event) => ("text" in event && event.text ? `${event.type} ${event.text}` : event.type));
    const beside = ["reasoning Hm.", "text I look.", "call", "result"];
    expect(heard).toEqual(["user", "user go", "round", "round", ...beside, "round", "text The end."]);
    expect(events.flatMap((event) => (event.type === "text" ? [event.partial] : []))).toEqual([true, false]);
  });

  it("leaves the end to one who ends the turn first", async () => {
    const agent = agentOf(loopingModel().model);
    agent.addHook(AfterToolsEvent, (event) => {
      if (JSON.stringify(event.message).includes("This run is stopped")) event.endTurn = "My own words.";
    });
    const result = await agent.invoke("go");

    expect(result.lastMessage.content).toEqual([new TextBlock("My own words.")]);
    expect(loopStop(result)?.status).toBe("LOOP_DETECTED");
    expect(loopStop(undefined as never)).toBeUndefined();
  });

  it("changes nothing where it is told what it cannot read, and says so once", () => {
    const faults: unknown[] = [];
    const hooks: ((event: object) => void)[] = [];
    const plugin = pluginOf({ onFault: (fault) => void faults.push(fault) });
    plugin.initAgent({ addHook: (_type: unknown, hook: (event: object) => void) => hooks.push(hook) });
    for (const hook of hooks) hook({});

    expect(hooks).toHaveLength(6);
    expect(faults).toHaveLength(1);
  });

  it("keeps a call blocked that another hook would have made again", async () => {
    let executed = 0;
    let asked = 0;
    const agent = agentOf(loopingModel().model, { tools: [readFile(() => `${++executed && "nothing"}`)] });
    agent.addHook(AfterToolCallEvent, (event) => {
      if (event.result.status === "error" && ++asked < 4) event.retry = true;
    });
    const { stopReason } = await agent.invoke("go");

    expect(executed).toBe(4);
    expect(asked).toBe(5);
    expect(stopReason).toBe("endTurn");
  });

  it("leaves the words of one who refuses a call first, and adds its own", async () => {
    const { model, requests } = loopingModel();
    const agent = agentOf(model);
    agent.addHook(BeforeToolCallEvent, (event) => {
      event.cancel = "Not on Sundays.";
    });
    await agent.invoke("go");

    expect(requests[1]).toContain('"Not on Sundays."');
    expect(requests[5]).toContain(`Not on Sundays.\\n\\n${WORDS} Not run:`);
    expect(requests).toHaveLength(6);
  });

  it("ends with an answer that the host shows, and goes on when the user speaks", async () => {
    const { model, requests } = loopingModel(40);
    const stops: LoopStop[] = [];
    const agent = agentOf(model, {}, { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const first = await agent.invoke("go");
    const { stopReason, lastMessage } = first;

    expect(requests).toHaveLength(6);
    expect(stopReason).toBe("endTurn");
    expect(lastMessage.content).toEqual([new TextBlock(stops[0]!.explanation)]);
    expect(agent.messages.at(-1)).toBe(lastMessage);
    const second = await agent.invoke("go on");
    expect(requests.length).toBeGreaterThan(8);
    expect(stops).toHaveLength(2);
    expect([loopStop(first), loopStop(second)]).toEqual(stops);
    expect(loopStop(await agentOf(loopingModel(2).model).invoke("go"))).toBeUndefined();
  });

  it("ends cleanly where the answer must have a shape", async () => {
    const { model, requests } = loopingModel(40);
    const structuredOutputSchema = z.object({ found: z.boolean() });
    const { stopReason, structuredOutput } = await agentOf(model, { structuredOutputSchema }).invoke("go");

    expect(requests).toHaveLength(6);
    expect(stopReason).toBe("endTurn");
    expect(structuredOutput).toBeUndefined();
  });

  it("takes one call in each turn of a conversation for what it is", async () => {
    const requests: string[] = [];
    const model = new ScriptedModel((messages) => {
      requests.push(JSON.stringify(messages));
      const call = { id: `call-${requests.length}`, tool: "read_file", args: { path: "x" } };
      return [requests.length % 2 === 1 ? call : { text: "The end." }];
    });
    const agent = agentOf(model);
    for (let turn = 0; turn < 6; turn++) await agent.invoke("What is new?");

    expect(requests).toHaveLength(12);
    expect(requests.at(-1)).not.toContain(WORDS);
  });

  it("still asks the human, runs what was agreed to, and does not take an agreement for news", async () => {
    let executed = 0;
    const { model, requests } = loopingModel(40);
    const tools = [readFile(() => `${++executed && "nothing"}`)];
    const agent = agentOf(model, { tools, interventions: [new HumanInTheLoop()] });
    let result = await agent.invoke("go");
    const counts: number[] = [];
    while (result.stopReason === "interrupt") {
      const interruptId = result.interrupts!.at(0)!.id;
      result = await agent.invoke([new InterruptResponseContent({ interruptId, response: "y" })]);
      counts.push(executed);
    }

    expect(counts).toEqual([1, 2, 3, 4, 4, 4]);
    expect(requests.map((request) => request.includes(WORDS))).toEqual([false, false, false, true, true, true]);
    expect(JSON.stringify(result.lastMessage)).toContain("Stopped: the agent");
    expect(loopStop(result)).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file" });
  });

  it("guards calls that run beside each other, each with a result", async () => {
    const others = [{ id: "other", tool: "read_file", args: { path: "y" } }];
    const { model, requests } = loopingModel(10, others);
    await agentOf(model).invoke("go");

    expect(requests.length).toBeLessThan(8);
    expect(JSON.parse(requests.at(-1)!).at(-1).content).toHaveLength(2);
  });

  it("does not take a call for another one of the same answer that has its id", async () => {
    const pages: number[] = [];
    const readPage = tool({
      name: "read_page",
      description: "reads",
      inputSchema: z.object({ page: z.number() }),
      callback: async ({ page }) => `page ${pages.push(page)}`,
    });
    let asked = 0;
    const model = new ScriptedModel(() => {
      if (++asked > 5) return [{ text: "The end." }];
      const named = (tool: string, args: object) => ({ id: "call_0", tool, args });
      return [named("read_file", { path: "x" }), named("read_page", { page: asked })];
    });
    const options: HostOptions = {
      createGuard: (own) => createCountingGuard({ repeats: 3 }, own),
      ladder: ["nudge"],
      onFault: fail,
    };
    await agentOf(model, { tools: [readFile(), readPage] }, options).invoke("go");

    expect(pages).toEqual([1, 2, 3, 4, 5]);
  });

  it("keeps agents apart that share a guarded configuration", async () => {
    const config = guard({ tools: [readFile()], printer: false }, { strands });
    const models = [loopingModel(2), loopingModel(2), loopingModel(2)];
    await Promise.all(models.map(({ model }) => new Agent({ ...config, model }).invoke("go")));

    expect(models.flatMap(({ requests }) => requests).join()).not.toContain(WORDS);
  });
});

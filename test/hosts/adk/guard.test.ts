import { setTimeout } from "node:timers/promises";
import {
  App,
  BasePlugin,
  createEvent,
  type Event,
  FunctionTool,
  InMemoryRunner,
  isFinalResponse,
  LlmAgent,
  type LlmRequest,
  LogLevel,
  LongRunningFunctionTool,
  LoopAgent,
  ParallelAgent,
  PolicyOutcome,
  SecurityPlugin,
  SequentialAgent,
  StreamingMode,
  setLogLevel,
  Workflow,
} from "@google/adk";
import { type AgentEvent, createGuard, type Decision } from "doomloop";
import { guard, type HostOptions, type LoopStop, loopStop } from "doomloop/adk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AdkPlugin } from "../../../packages/doomloop/src/adapters/adk/plugin.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type Part, ScriptedLlm } from "./scripted-llm.ts";

setLogLevel(LogLevel.ERROR);

const WORDS = "[doomloop]";
const STOPPED = "Stopped: the agent";
const CALL: Part = { functionCall: { name: "read_file", args: { path: "x" } } };
const THE_END: Part = { text: "The end." };

/** A model that makes the same call until it was asked so often, and notes what it was asked. */
function loopingModel(calls = 10, call = CALL) {
  const requests: string[] = [];
  const model = new ScriptedLlm(({ contents }: LlmRequest) => {
    requests.push(JSON.stringify(contents));
    return requests.length > calls ? [THE_END] : [structuredClone(call)];
  });
  return { model, requests };
}

function readFile(execute: () => unknown = () => "nothing", requireConfirmation = false): FunctionTool {
  return new FunctionTool({
    name: "read_file",
    description: "reads a file",
    parameters: z.object({ path: z.string() }),
    execute,
    requireConfirmation,
  });
}

const fail = (fault: unknown): never => {
  throw fault;
};

/** A guard that continues, and notes what it observes. */
function listening() {
  const events: AgentEvent[] = [];
  const observe = (event: AgentEvent): Decision => {
    events.push(event);
    return { action: "continue" };
  };
  return { own: { ...createGuard(), observe }, events };
}

/** What a human answers who is asked for the first time in these events. */
function agreement(events: readonly Event[]): Part {
  const asked = events.flatMap(({ content }) => content?.parts ?? []).map(({ functionCall }) => functionCall);
  const { id, name } = asked.find((call) => call?.name === "adk_request_confirmation")!;
  return { functionResponse: { id, name, response: { confirmed: true } } } as Part;
}

type Root = NonNullable<ConstructorParameters<typeof InMemoryRunner>[0]["agent"]>;

/** A session with a guarded agent; each word to it is an invocation. */
async function openSession(
  agent: Root,
  options: HostOptions = { ...QUICK, onFault: fail },
  runner = new InMemoryRunner(guard({ agent }, options)),
) {
  const { id } = await runner.sessionService.createSession({ appName: runner.appName, userId: "user" });
  return async (...parts: Part[]): Promise<Event[]> => {
    const events: Event[] = [];
    const newMessage = { role: "user", parts };
    for await (const event of runner.runAsync({ userId: "user", sessionId: id, newMessage })) events.push(event);
    return events;
  };
}

const agentOf = (model: ScriptedLlm, more: Partial<ConstructorParameters<typeof LlmAgent>[0]> = {}) =>
  new LlmAgent({ name: "agent", model, tools: [readFile()], ...more });

const withPlugin = (agent: Root, plugin: BasePlugin) => new InMemoryRunner(guard({ agent, plugins: [plugin] }, QUICK));

/** Our plugin, as it is in a configuration. */
const pluginOf = (options: HostOptions = {}) => (guard({}, options) as { plugins: AdkPlugin[] }).plugins[0]!;

const responsesOf = (events: readonly Event[]) =>
  events.flatMap(({ content }) => content?.parts ?? []).flatMap(({ functionResponse }) => functionResponse ?? []);

describe("guard", () => {
  it("puts itself first, keeps the configuration, and does not change the caller's", () => {
    const { model } = loopingModel();
    class Other extends BasePlugin {}
    const config = Object.freeze({
      agent: agentOf(model),
      appName: "mine",
      plugins: Object.freeze([new Other("other")]),
    });
    const guarded = guard(config);

    expect(guarded.plugins.map(({ name }) => name)).toEqual(["doomloop", "other"]);
    expect(guarded).toMatchObject({ agent: config.agent, appName: "mine" });
    expect(config.plugins).toHaveLength(1);
  });

  it("replaces an earlier guard, because ADK rejects two plugins of one name", async () => {
    const { model, requests } = loopingModel();
    const agent = agentOf(model);
    const runner = new InMemoryRunner(guard(guard({ agent }, { preset: "shadow" }), QUICK));
    await (await openSession(agent, {}, runner))({ text: "go" });

    expect(requests).toHaveLength(6);
  });

  it("guards an app", async () => {
    const { model, requests } = loopingModel();
    const agent = agentOf(model);
    const runner = new InMemoryRunner({ app: new App(guard({ name: "app", rootAgent: agent }, QUICK)) });
    await (await openSession(agent, {}, runner))({ text: "go" });

    expect(requests).toHaveLength(6);
  });

  it("has every callback that a plugin of ADK has, and those of later versions", async () => {
    const plugin = pluginOf() as unknown as Record<string, (parameters: object) => Promise<unknown>>;
    const names = Object.getOwnPropertyNames(BasePlugin.prototype).filter((name) => name !== "constructor");

    expect(names.length).toBeGreaterThan(10);
    for (const name of [...names, "beforeSomethingNew"]) expect(typeof plugin[name], name).toBe("function");
    await expect(plugin.beforeSomethingNew?.({})).resolves.toBeUndefined();
    expect(plugin.then).toBeUndefined();
  });

  it("puts words beside a result, and leaves the tool's own object alone", async () => {
    const found = Object.freeze({ hits: 0 });
    const { model, requests } = loopingModel();
    const events = await (await openSession(agentOf(model, { tools: [readFile(() => found)] })))({ text: "go" });

    expect(requests[2]).not.toContain(WORDS);
    expect(requests[3]).toContain(`{"hits":0,"doomloop":"${WORDS}`);
    expect(responsesOf(events)[1]?.response).toBe(found);
    expect(found).toEqual({ hits: 0 });
  });

  it("leaves to every other callback what is its own, also where words go along", async () => {
    const { model, requests } = loopingModel();
    const seen: string[] = [];
    class Other extends BasePlugin {
      override async afterToolCallback(): Promise<undefined> {
        seen.push("after");
        return undefined;
      }
      override async onEventCallback({ event }: { event: Event }): Promise<undefined> {
        if (event.content?.parts?.[0]?.functionResponse) seen.push("event");
        return undefined;
      }
    }
    const agent = agentOf(model, {
      tools: [readFile(() => "a secret")],
      afterToolCallback: async () => ({ result: "redacted" }),
    });
    await (await openSession(agent, QUICK, withPlugin(agent, new Other("other"))))({ text: "go" });

    expect(requests[3]).toContain(`{"result":"redacted","doomloop":"${WORDS}`);
    expect(requests.join()).not.toContain("a secret");
    expect(seen).toHaveLength(12);
  });

  it("leaves a tool's error to the plugins that wait for it, and adds words to what they make of it", async () => {
    const { model, requests } = loopingModel(4);
    const errors: Error[] = [];
    class Other extends BasePlugin {
      override async onToolErrorCallback({ error }: { error: Error }): Promise<{ result: string }> {
        errors.push(error);
        return { result: "mended" };
      }
    }
    const broken = () => fail(new Error("it broke"));
    const agent = agentOf(model, { tools: [readFile(broken)] });
    await (await openSession(agent, QUICK, withPlugin(agent, new Other("other"))))({ text: "go" });

    expect(errors.map(({ message }) => message)).toEqual(Array(4).fill("Error in tool 'read_file': it broke"));
    expect(requests[1]).toContain('{"result":"mended"}');
    expect(requests[3]).toContain(`{"result":"mended","doomloop":"${WORDS}`);
  });

  it("tells the guard which calls failed", async () => {
    const { model } = loopingModel(1);
    const { own, events } = listening();
    const agent = agentOf(model, { tools: [readFile(() => fail(new Error("it broke")))] });
    await (await openSession(agent, { guard: own }))({ text: "go" });

    expect(events.map(({ type }) => type)).toEqual(["user", "round", "call", "result", "round"]);
    expect(events[3]).toMatchObject({ error: true, output: { error: "Error in tool 'read_file': it broke" } });
  });

  it("sees code once that comes in pieces and then as a whole", async () => {
    const { own, events } = listening();
    const parts = [
      { executableCode: { code: "1 + 1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "2" } },
    ];
    const model = new ScriptedLlm(() => [...(structuredClone(parts) as Part[]), THE_END]);
    const runner = new InMemoryRunner(guard({ agent: agentOf(model) }, { guard: own }));
    const newMessage = { role: "user", parts: [{ text: "go" }] };
    const runConfig = { streamingMode: StreamingMode.SSE };
    for await (const _ of runner.runEphemeral({ userId: "user", newMessage, runConfig }));

    expect(events.map(({ type }) => type)).toEqual(["user", "round", "call", "result"]);
    expect(events[2]).toMatchObject({ tool: "code_execution", args: { code: "1 + 1" } });
  });

  it("tells the guard of a compaction", async () => {
    const { model } = loopingModel(1);
    const { own, events } = listening();
    let isDue = true;
    const compactor = {
      shouldCompact: () => isDue,
      compact() {
        isDue = false;
      },
    };
    const agent = agentOf(model, { contextCompactors: [compactor] });
    await (await openSession(agent, { guard: own }))({ text: "go" });

    expect(events.map(({ type }) => type)).toEqual(["user", "compaction", "round", "call", "result", "round"]);
  });

  it("ends with an answer that the host shows, and goes on when the user speaks", async () => {
    const { model, requests } = loopingModel(40);
    const stops: LoopStop[] = [];
    const say = await openSession(agentOf(model), { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const first = await say({ text: "go" });

    expect(requests).toHaveLength(6);
    expect(isFinalResponse(first.at(-1)!)).toBe(true);
    expect(first.at(-1)?.content).toEqual({ role: "model", parts: [{ text: stops[0]?.explanation }] });
    expect(first.map((event) => loopStop(event))).toEqual([...Array(first.length - 1).fill(undefined), stops[0]]);
    expect(stops).toHaveLength(1);
    await say({ text: "go on" });
    expect(requests.length).toBeGreaterThan(8);
  });

  it("takes one call in each turn of a conversation for what it is", async () => {
    const requests: string[] = [];
    const model = new ScriptedLlm(({ contents }) => {
      requests.push(JSON.stringify(contents));
      return [requests.length % 2 === 1 ? structuredClone(CALL) : THE_END];
    });
    const say = await openSession(agentOf(model));
    for (let turn = 0; turn < 6; turn++) await say({ text: "What is new?" });

    expect(requests).toHaveLength(12);
    expect(requests.at(-1)).not.toContain(WORDS);
  });

  it("does not take a call for one of an earlier turn that has its id and no result", async () => {
    const parameters = z.object({});
    const job = new LongRunningFunctionTool({ name: "job", description: "runs", parameters, execute: () => undefined });
    let asked = 0;
    const model = new ScriptedLlm(() => {
      const call = asked++ === 0 ? { name: "job", args: {} } : { name: "read_file", args: { path: "x" } };
      return asked > 4 ? [THE_END] : [{ functionCall: { ...call, id: "call_0" } }];
    });
    const { own, events } = listening();
    const agent = agentOf(model, { tools: [job, readFile()] });
    const say = await openSession(agent, { guard: own, onFault: fail });
    await say({ text: "Start it." });
    await say({ text: "Look." });

    const calls = events.flatMap((event) => (event.type === "call" ? [event.tool] : []));
    expect(calls).toEqual(["job", "read_file", "read_file", "read_file"]);
  });

  it("ends agents that repeat others, and agents one after the other", async () => {
    const looping = loopingModel(40);
    const laps = new LoopAgent({ name: "laps", subAgents: [agentOf(looping.model)], maxIterations: 9 });
    const events = await (await openSession(laps))({ text: "go" });
    const first = loopingModel(40);
    const second = loopingModel(40);
    const subAgents = [agentOf(first.model), agentOf(second.model, { name: "second" })];
    await (await openSession(new SequentialAgent({ name: "line", subAgents })))({ text: "go" });

    expect(looping.requests).toHaveLength(6);
    expect(events.filter(isFinalResponse)).toHaveLength(1);
    expect([first.requests.length, second.requests.length]).toEqual([6, 0]);
  });

  it("keeps agents apart that run beside each other in one session", async () => {
    const models = [loopingModel(2), loopingModel(2), loopingModel(2)];
    const subAgents = models.map(({ model }, at) => {
      const tools = [readFile(() => setTimeout(at * 10, "nothing"))];
      return agentOf(model, { name: `agent_${at}`, tools });
    });
    await (await openSession(new ParallelAgent({ name: "all", subAgents })))({ text: "go" });

    expect(models.map(({ requests }) => requests.length)).toEqual([3, 3, 3]);
    expect(models.flatMap(({ requests }) => requests).join()).not.toContain(WORDS);
  });

  it("guards an agent that is a step of a workflow", async () => {
    const { model, requests } = loopingModel();
    const workflow = new Workflow({ name: "flow", edges: [["START", agentOf(model)]] });
    await (await openSession(workflow))({ text: "go" });

    expect(requests.map((request) => request.split(WORDS).length - 1).slice(0, 5)).toEqual([0, 0, 0, 1, 2]);
    expect(requests).toHaveLength(6);
  });

  it("ends a workflow whose next step would lead back to the agent", async () => {
    const { model, requests } = loopingModel(40);
    let laps = 0;
    const agent = agentOf(model);
    const judge = () => createEvent({ output: "again", route: ++laps > 30 ? "enough" : "again" });
    const workflow = new Workflow({
      name: "flow",
      edges: [
        ["START", agent],
        [agent, judge],
        [judge, { again: agent }],
      ],
    });
    const events = await (await openSession(workflow))({ text: "go" });

    expect(requests).toHaveLength(6);
    expect(laps).toBe(0);
    expect(JSON.stringify(events.at(-1)?.content)).toContain(STOPPED);
    expect(loopStop(events.at(-1)!)).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file" });
  });

  it("still asks the human, runs what was agreed to, and does not take an agreement for news", async () => {
    let executed = 0;
    const { model, requests } = loopingModel(40);
    const tool = readFile(() => `${++executed && "nothing"}`, true);
    const say = await openSession(agentOf(model, { tools: [tool] }));
    let events = await say({ text: "go" });
    const counts: number[] = [];
    for (let agreed = 0; agreed < 4; agreed++) {
      events = await say(agreement(events));
      counts.push(executed);
    }

    expect(counts).toEqual([1, 2, 3, 4]);
    expect(requests.map((request) => request.includes(WORDS))).toEqual([false, false, false, true, true, true]);
    expect(events.at(-1)?.content?.parts?.[0]?.text).toContain(STOPPED);
  });

  it("takes a call for one that waits for a human and is then run", async () => {
    const { own, events } = listening();
    const agent = agentOf(loopingModel(1).model, { tools: [readFile(() => "nothing", true)] });
    const say = await openSession(agent, { guard: own });
    await say(agreement(await say({ text: "go" })));

    expect(events.map(({ type }) => type)).toEqual(["user", "round", "call", "result", "round"]);
  });

  it("changes nothing where it is told what it cannot read, and says so once", async () => {
    const faults: unknown[] = [];
    const plugin = pluginOf({ onFault: (fault) => void faults.push(fault) });

    await expect(plugin.beforeToolCallback({} as never)).resolves.toBeUndefined();
    await expect(plugin.onEventCallback({} as never)).resolves.toBeUndefined();
    expect(faults).toHaveLength(1);
  });

  it("leaves the last word on a call to a plugin of policy", async () => {
    const { model } = loopingModel(2);
    let executed = 0;
    const policyEngine = { evaluate: async () => ({ outcome: PolicyOutcome.DENY, reason: "no" }) };
    const agent = agentOf(model, { tools: [readFile(() => ++executed)] });
    const runner = withPlugin(agent, new SecurityPlugin({ policyEngine }));
    const events = await (await openSession(agent, QUICK, runner))({ text: "go" });

    expect(executed).toBe(0);
    expect(JSON.stringify(responsesOf(events)[0]?.response)).toContain("rejected by policy engine");
  });

  it("says nothing about results that another plugin kept from it, and has no fault", async () => {
    const { model, requests } = loopingModel(8);
    class Cache extends BasePlugin {
      override async beforeToolCallback(): Promise<{ result: string }> {
        return { result: "cached" };
      }
    }
    const agent = agentOf(model);
    const app = new App({ name: "app", rootAgent: agent, plugins: [new Cache("cache")] });
    const runner = new InMemoryRunner(guard({ app }, { onFault: fail }));
    await (await openSession(agent, {}, runner))({ text: "go" });

    expect(requests).toHaveLength(9);
    expect(requests.at(-1)).not.toContain(WORDS);
  });
});

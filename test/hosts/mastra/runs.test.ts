import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { MockMemory } from "@mastra/core/memory";
import { RequestContext } from "@mastra/core/request-context";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { type AgentEvent, createGuard, type Guard } from "doomloop";
import { guard, type HostOptions, type LoopStop } from "doomloop/mastra";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { HostRequest, ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import { scripts } from "../shared/scripts.ts";
import { scriptedModel, withoutClock } from "./scripted-model.ts";

const WORDS = "[doomloop]";

/** One call an answer, with the ids of a server that counts within a conversation. */
function reading(paths: readonly string[], from = 0): ScriptedAnswer[] {
  return paths.map((path, at) => ({
    calls: [{ id: `functions.read_file:${from + at}`, tool: "read_file", args: { path } }],
  }));
}

const same = (length: number): string[] => Array(length).fill("x");
const different = (length: number): string[] => Array.from({ length }, (_, at) => `y${at}`);

const readTool = (more: object = {}) =>
  createTool({
    id: "read_file",
    description: "reads a file",
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }: { path: string }) => (path === "x" ? "A short page." : `A page about ${path}.`),
    ...more,
  } as never);

interface Result {
  readonly finishReason: string;
  readonly runId: string;
  readonly text: string;
  readonly tripwire?: { readonly reason: string };
  readonly steps: readonly { readonly content: unknown }[];
}

interface AgentLike {
  generate(input: unknown, settings?: object): Promise<Result>;
  approveToolCallGenerate(settings: object): Promise<Result>;
  stream(input: unknown, settings?: object): Promise<{ fullStream: AsyncIterable<object> }>;
}

function agentOf(config: object, options: HostOptions | undefined): AgentLike {
  const whole = { id: "a", name: "a", instructions: "go", model: scriptedModel(), ...config };
  const agent = new Agent((options === undefined ? whole : guard(whole, { ...QUICK, ...options })) as never);
  new Mastra({ agents: { a: agent }, storage: new InMemoryStore(), logger: false });
  return agent as unknown as AgentLike;
}

/** Runs something of an agent with a scripted model. */
async function scripted(answers: readonly ScriptedAnswer[], act: () => Promise<Result>) {
  const requests: HostRequest[] = [];
  const result = await scripts.run({ answers, requests }, act);
  const contents = result.steps.map(({ content }) => content);
  const visible = JSON.stringify(withoutClock({ requests: requests.map(({ raw }) => raw), contents }));
  return { result, requests, visible, prompts: requests.map(({ raw }) => JSON.stringify(raw)) };
}

const generate = (agent: AgentLike, answers: readonly ScriptedAnswer[], input: unknown = "go", settings: object = {}) =>
  scripted(answers, () => agent.generate(input, { maxSteps: 30, ...settings }));

/** A history with so many equal calls, as a database gives it back. */
function restored(calls: number, ...end: object[]): object[] {
  const rounds = Array.from({ length: calls }, (_, at) => {
    const named = { toolCallId: `functions.read_file:${at}`, toolName: "read_file" };
    const output = { type: "text", value: "A short page." };
    return [
      { role: "assistant", content: [{ type: "tool-call", ...named, input: { path: "x" } }] },
      { role: "tool", content: [{ type: "tool-result", ...named, output }] },
    ];
  });
  return JSON.parse(JSON.stringify([{ role: "user", content: "hi" }, ...rounds.flat(), ...end]));
}

/** A guard that notes what an agent says. */
function hearing(own: Guard, said: string[]): Guard {
  const observe = (event: AgentEvent) => {
    if (event.type === "text") said.push(event.text);
    return own.observe(event);
  };
  return { ...own, observe };
}

const again = { role: "user", content: "again" };

describe("guard, where ids do not tell runs apart", () => {
  const tools = { read_file: readTool() };

  it("leaves an innocent run alone whose history equals that of one that loops at the same time", async () => {
    const agent = agentOf({ tools }, {});
    await generate(agent, reading(same(1)), "hi");
    const [innocent, loop] = await Promise.all([
      generate(agent, reading(different(10), 1), restored(1, again)),
      generate(agent, reading(same(12), 1), restored(1, again)),
    ]);
    const bare = await generate(agentOf({ tools }, undefined), reading(different(10), 1), restored(1, again));

    expect(innocent.visible).toBe(bare.visible);
    expect(loop.requests).toHaveLength(6);
  });

  it("leaves an innocent run alone that uses the ids of one that looped before it", async () => {
    const agent = agentOf({ tools }, {});
    const looped = await generate(agent, reading(same(9)), "hi", { maxSteps: 4 });
    const innocent = await generate(agent, reading(same(1), 3), restored(3));
    const bare = await generate(agentOf({ tools }, undefined), reading(same(1), 3), restored(3));

    expect(looped.prompts.at(-1)).toContain(WORDS);
    expect(innocent.visible).toBe(bare.visible);
  });

  it("leaves an innocent run alone that shares the host's request with one that loops", async () => {
    const requestContext = new RequestContext();
    const agent = agentOf({ tools }, {});
    const [innocent, loop] = await Promise.all([
      generate(agent, reading(different(10)), "go", { requestContext }),
      generate(agent, reading(same(12)), "go", { requestContext }),
    ]);
    const bare = await generate(agentOf({ tools }, undefined), reading(different(10)));

    expect(innocent.visible).toBe(bare.visible);
    expect(loop.result.tripwire).toBeDefined();
  });

  it("leaves an innocent call alone that a human agreed to, beside one of the same id in a loop", async () => {
    const executed: unknown[] = [];
    const execute = async (input: unknown) => executed.push(input) && "A short page.";
    const agent = agentOf({ tools: { read_file: readTool({ requireApproval: true, execute }) } }, {});
    const approve = ({ result }: { result: Result }, answers: ScriptedAnswer[]) =>
      scripted(answers, () => agent.approveToolCallGenerate({ runId: result.runId, maxSteps: 30 }));
    const other = await generate(agent, reading(same(1), 4), "go");
    let loop = await generate(agent, reading(same(1)), "go");
    for (let at = 1; at < 5; at++) loop = await approve(loop, reading(["x"], at));
    const { prompts, result } = await approve(other, [{ text: "The end." }]);

    expect(loop.prompts.at(-1)).toContain(WORDS);
    expect(result.text).toBe("The end.");
    expect(prompts.filter((prompt) => prompt.includes(WORDS))).toEqual([]);
    expect(executed).toHaveLength(5);
  });

  it("gives the guard of a thread to one of two turns that go on from it at the same time", async () => {
    const agent = agentOf({ tools, memory: new MockMemory() }, {});
    const memory = { memory: { thread: "t", resource: "r" } };
    await generate(agent, reading(same(3)), "hi", memory);
    const [innocent, loop] = await Promise.all([
      generate(agent, reading(different(8), 3), "other", memory),
      generate(agent, reading(same(12), 3), "again", memory),
    ]);

    expect(innocent.requests).toHaveLength(9);
    expect(innocent.result.tripwire).toBeUndefined();
    expect(loop.result.tripwire).toBeDefined();
  });

  it("has no calls without an id to judge: the host itself drops them, without the guard", async () => {
    const nameless = reading(same(2)).map(({ calls }) => ({ calls: calls!.map((call) => ({ ...call, id: "" })) }));
    const { requests, result } = await generate(agentOf({ tools }, undefined), nameless);

    expect(requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual(Array(3).fill(["system", "user"]));
    expect(result.finishReason).toBe("stop");
  });
});

describe("guard, after an end", () => {
  const tools = { read_file: readTool() };

  it("goes on when the user speaks, where the caller keeps the history", async () => {
    const agent = agentOf({ tools }, {});
    expect((await generate(agent, reading(same(9)), "hi")).result.tripwire).toBeDefined();
    const { requests, result } = await generate(agent, reading(["y"], 6), restored(6, again));

    expect(result.tripwire).toBeUndefined();
    expect(requests).toHaveLength(2);
  });

  it.each([
    { title: "", inputProcessors: [] },
    {
      title: ", beside a reminder that is added to every request",
      inputProcessors: [
        {
          id: "remind",
          processLLMRequest: ({ prompt }: { prompt: object[] }) => ({
            prompt: [...prompt, { role: "user", content: [{ type: "text", text: "Remember the task." }] }],
          }),
        },
      ],
    },
  ])(
    "keeps the user's message and what was done in the thread, and goes on when the user speaks$title",
    async (more) => {
      const stops: LoopStop[] = [];
      const { inputProcessors } = more;
      const config = { tools, memory: new MockMemory(), inputProcessors };
      const agent = agentOf(config, { onStop: (stop) => void stops.push(stop) });
      const memory = { memory: { thread: "t", resource: "r" } };
      const ended = await generate(agent, reading(same(9)), "Where is it?", memory);
      const { requests, result, prompts } = await generate(agent, reading(["y"], 6), "Look elsewhere.", memory);

      expect(ended.requests).toHaveLength(6);
      expect(ended.result.tripwire).toBeDefined();
      expect(stops).toHaveLength(1);
      expect(prompts[0]).toContain("Where is it?");
      expect(prompts[0]).toContain("functions.read_file:5");
      expect(result.tripwire).toBeUndefined();
      expect(requests).toHaveLength(2);
      expect(requests.flatMap(({ messages }) => protocolFaults(messages))).toEqual([]);
    },
  );

  it.each([
    { title: "in a call", options: { readOnly: true }, own: {} },
    { title: "by its own settings", options: {}, own: { readOnly: true } },
  ])("saves nothing to a memory that is only read $title", async ({ options, own }) => {
    const agent = agentOf({ tools, memory: new MockMemory({ options: own } as never) }, {});
    const settings = { memory: { thread: "t", resource: "r", options } };
    await generate(agent, reading(same(9)), "Where is it?", settings);
    const { prompts } = await generate(agent, [], "And now?", settings);

    expect(prompts[0]).not.toContain("Where is it?");
  });
});

describe("guard, with agents that the agent calls", () => {
  const outer: ScriptedAnswer[] = [
    { calls: [{ id: "o1", tool: "agent-sub", args: { prompt: "do", maxSteps: 30 } }] },
    { text: "Done." },
  ];

  function family(inner: readonly ScriptedAnswer[], options: HostOptions | undefined, more: object = {}) {
    const requests: HostRequest[] = [];
    const model = scriptedModel();
    const doGenerate = model.doGenerate;
    const doStream = model.doStream;
    model.doGenerate = (request) => scripts.run({ answers: inner, requests }, () => doGenerate(request));
    model.doStream = (request) => scripts.run({ answers: inner, requests }, () => doStream(request));
    const config = { id: "sub", name: "sub", description: "sub", instructions: "i", model };
    const sub = new Agent({ ...config, tools: { read_file: readTool() }, ...more } as never);
    return { sub, requests, agent: agentOf({ agents: { sub } }, options) };
  }

  it("breaks a loop of such an agent, which answers with the reason", async () => {
    const stops: LoopStop[] = [];
    const said: string[] = [];
    const { agent, requests } = family(reading(same(12)), {
      onStop: (stop) => void stops.push(stop),
      createGuard: (options) => hearing(createGuard(options), said),
    });
    const { result, prompts } = await generate(agent, outer);

    expect(requests).toHaveLength(6);
    expect(stops).toHaveLength(1);
    // The agent that called it is told what happened, and not what was said to the other.
    expect(prompts[1]).toContain(JSON.stringify(stops[0]?.explanation).slice(1, -1));
    expect(prompts[1]).not.toContain(WORDS);
    // Our own words are not the agent's.
    expect(said).toEqual(["Done."]);
    expect(result.text).toBe("Done.");
    expect(result.tripwire).toBeUndefined();
  });

  it("breaks a loop of such an agent in a stream", async () => {
    const { agent, requests } = family(reading(same(12)), {});
    const asked: HostRequest[] = [];
    await scripts.run({ answers: outer, requests: asked }, async () => {
      for await (const _chunk of (await agent.stream("go", { maxSteps: 30 })).fullStream);
    });

    expect(requests).toHaveLength(6);
    expect(JSON.stringify(asked[1])).toContain("Stopped: the agent called `read_file` 4 times");
  });

  it("leaves a healthy one as it is, with its own hooks and processors", async () => {
    const runs = [undefined, {}].map(async (options) => {
      const told: unknown[] = [];
      const { agent, requests } = family(reading(different(8)), options, {
        hooks: { beforeToolCall: ({ input }: { input: unknown }) => void told.push(input) },
        inputProcessors: [{ id: "counting", processInputStep: () => void told.push("step") }],
      });
      const { visible } = await generate(agent, outer);
      return JSON.stringify({ visible: visible.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, "id"), requests, told });
    });
    const [bare, withGuard] = await Promise.all(runs);

    expect(withGuard).toBe(bare);
    expect(bare).toContain("A page about y7.");
  });

  it("leaves such an agent as it is for everybody else", async () => {
    const { sub, requests } = family(reading(same(12)), {});
    await (sub as unknown as AgentLike).generate("go", { maxSteps: 30 });

    expect(requests).toHaveLength(13);
  });

  it("guards agents that are resolved for each request, each invocation by itself", async () => {
    const { sub, requests } = family([...reading(same(2)), { text: "No." }, ...reading(same(12))], {});
    const agent = agentOf({ agents: async () => ({ sub }) }, {});
    await generate(agent, [outer[0]!, { calls: [{ ...outer[0]!.calls![0]!, id: "o2" }] }, { text: "Done." }]);

    expect(requests).toHaveLength(3 + 6);
    expect(requests.map(({ raw }) => JSON.stringify(raw).includes(WORDS)).indexOf(true)).toBe(3 + 3);
  });
});

describe("guard, on pauses", () => {
  it("lets an agent poll that is held back behind the results", async () => {
    let at = 1000;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => at);
    const tools = { read_file: readTool() };
    let steps = 0;
    // The first steps show the run's own pace.
    const pause = async (): Promise<void> => {
      at += ++steps <= 3 ? 2_000 : 30_000;
    };
    const slow = { id: "slow", processInputStep: pause };
    const polled = await generate(
      agentOf({ tools, inputProcessors: [slow] }, {}),
      reading([...different(3), ...same(8)]),
    );
    clock.mockRestore();

    expect(polled.requests).toHaveLength(12);
    expect(polled.visible).not.toContain(WORDS);
  });
});

import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { MockMemory } from "@mastra/core/memory";
import { RequestContext } from "@mastra/core/request-context";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { type AgentEvent, createGuard } from "doomloop";
import { guard, type HostOptions, type LoopStop, loopStop } from "doomloop/mastra";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { HostRequest, ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import { scripts } from "../shared/scripts.ts";
import { scriptedModel } from "./scripted-model.ts";

const WORDS = "[doomloop]";

/** The same call so often, then the end. */
function looping(length = 10, from = 1, tool = "read_file"): ScriptedAnswer[] {
  return Array.from({ length }, (_, at) => ({ calls: [{ id: `call-${at + from}`, tool, args: { path: "x" } }] }));
}

function readFile(execute: (input: unknown, context: never) => unknown, more: object = {}): object {
  const inputSchema = z.object({ path: z.string() });
  return createTool({ id: "read_file", description: "reads a file", inputSchema, execute, ...more } as never);
}

const nothing = () => readFile(async () => "nothing found");

interface Result {
  readonly finishReason: string;
  readonly runId: string;
  readonly tripwire?: { readonly reason: string; readonly metadata?: unknown; readonly processorId?: string };
  readonly steps: readonly { readonly toolResults: readonly { readonly payload: { readonly result: unknown } }[] }[];
}

interface AgentLike {
  generate(input: unknown, settings?: object): Promise<Result>;
  approveToolCallGenerate(settings: object): Promise<Result>;
  declineToolCallGenerate(settings: object): Promise<Result>;
  resumeGenerate(data: unknown, settings: object): Promise<Result>;
  stream(input: unknown, settings?: object): Promise<{ fullStream: AsyncIterable<{ type: string; payload: object }> }>;
}

function agentOf(tools: Record<string, object>, options: HostOptions | undefined = {}, more: object = {}): AgentLike {
  const config = { id: "a", name: "a", instructions: "go", model: scriptedModel(), tools, ...more };
  const agent = new Agent(guard(config, { ...QUICK, ...options }) as never);
  new Mastra({ agents: { a: agent }, storage: new InMemoryStore(), logger: false });
  return agent as unknown as AgentLike;
}

/** Runs something of an agent with a scripted model. */
async function scripted<Value>(answers: readonly ScriptedAnswer[], act: () => Promise<Value>) {
  const requests: HostRequest[] = [];
  const result = await scripts.run({ answers, requests }, act);
  return { result, requests, prompts: requests.map(({ raw }) => JSON.stringify((raw as { prompt: unknown }).prompt)) };
}

const generate = (agent: AgentLike, answers: readonly ScriptedAnswer[], settings: object = {}, input: unknown = "go") =>
  scripted(answers, () => agent.generate(input, { maxSteps: 30, ...settings }));

describe("guard", () => {
  it("ends the run with a tripwire that holds the reason", async () => {
    const stops: LoopStop[] = [];
    const agent = agentOf({ read_file: nothing() }, { onStop: (stop) => void stops.push(stop) });
    const { result } = await generate(agent, looping());

    expect(stops).toHaveLength(1);
    expect(result.tripwire).toMatchObject({
      reason: stops[0]?.explanation,
      metadata: stops[0],
      processorId: "doomloop",
    });
    expect(loopStop(result)).toEqual(stops[0]);
    expect(loopStop({ tripwire: { processorId: "other", metadata: stops[0] } })).toBeUndefined();
    expect(loopStop({})).toBeUndefined();
    expect(stops[0]).toMatchObject({ callId: "call-6", status: "LOOP_DETECTED", kind: "repeated-call" });
  });

  it("ends a stream with a tripwire, and marks blocked calls in it", async () => {
    const agent = agentOf({ read_file: nothing() });
    const { result } = await scripted(looping(), async () => {
      const chunks: { type: string; payload: object }[] = [];
      for await (const chunk of (await agent.stream("go", { maxSteps: 30 })).fullStream) chunks.push(chunk);
      return chunks;
    });
    const errors = result
      .filter(({ type }) => type === "tool-error")
      .map(({ payload }) => payload as { error: unknown });

    const [tripwire, ...others] = result.filter(({ type }) => type === "tripwire");
    expect(others).toEqual([]);
    expect(tripwire?.payload).toMatchObject({ metadata: { status: "LOOP_DETECTED", callId: "call-6" } });
    expect(errors.map(({ error }) => (error as Error).name)).toEqual(["BlockedCall", "BlockedCall"]);
  });

  it("puts words behind an object without changing the object that the host reads", async () => {
    const { prompts, result } = await generate(
      agentOf({ read_file: readFile(async () => ({ found: 0 })) }),
      looping(4),
    );

    expect(prompts[2]).not.toContain(WORDS);
    expect(prompts[3]).toContain(JSON.stringify(`{"found":0}\n\n${WORDS}`).slice(1, -1));
    expect(result.steps[2]?.toolResults[0]?.payload.result).toEqual({ found: 0 });
  });

  it("puts words behind what a tool itself shows to the model, and refuses its calls with an error", async () => {
    const toModelOutput = (output: { found: number }) => ({
      type: "content",
      value: [{ type: "text", text: `found ${output.found.toFixed()}` }],
    });
    const read_file = readFile(async () => ({ found: 0 }), { toModelOutput });
    const { prompts } = await generate(agentOf({ read_file }), looping());

    expect(prompts[3]).toContain(`{"type":"text","text":"found 0"},{"type":"text","text":"${WORDS}`);
    expect(prompts[5]).toContain(`{"type":"error-text","value":"${WORDS} Not run:`);
  });

  it("keeps the hooks of the configuration, and tells them what they are told without it", async () => {
    const thrown = new TypeError("it broke");
    const told: unknown[] = [];
    const hooks = {
      beforeToolCall: ({ toolName }: { toolName: string }) => void told.push(toolName),
      afterToolCall: ({ error }: { error?: unknown }) => void told.push(error),
    };
    const agent = agentOf({ read_file: readFile(() => Promise.reject(thrown)) }, {}, { hooks });
    await generate(agent, looping(6));

    expect(told).toHaveLength(8);
    expect(told[0]).toBe("read_file");
    expect((told[1] as Error).message).toContain("it broke");
  });

  it("lets a hook of the configuration answer in place of the tool, and sees that go in circles", async () => {
    const hooks = { beforeToolCall: () => ({ proceed: false, output: "not today" }) };
    const { prompts } = await generate(agentOf({ read_file: nothing() }, {}, { hooks }), looping());

    expect(prompts[1]).toContain("not today");
    expect(prompts[3]).toContain(`not today\\n\\n${WORDS}`);
    expect(prompts).toHaveLength(6);
  });

  it.each([
    { title: "a list", make: (list: object[]) => list },
    { title: "a function", make: (list: object[]) => () => list },
    { title: "a function that takes its time", make: (list: object[]) => async () => list },
  ])("keeps the processors of the configuration, given as $title", async ({ make }) => {
    let steps = 0;
    const counting = { id: "counting", processInputStep: () => void steps++ };
    const agent = agentOf({ read_file: nothing() }, {}, { inputProcessors: make([counting]) });
    const { prompts } = await generate(agent, looping());

    expect(prompts).toHaveLength(6);
    expect(steps).toBe(7);
  });

  it("sees calls of a tool that the agent does not have", async () => {
    const stops: LoopStop[] = [];
    const agent = agentOf({ read_file: nothing() }, { onStop: (stop) => void stops.push(stop) });
    const { prompts } = await generate(agent, looping(15, 1, "read_files"));

    expect(stops).toHaveLength(1);
    expect(prompts.length).toBeLessThan(10);
  });

  it("sees the loop beside a reminder that another processor adds to every request", async () => {
    const reminder = { role: "user", content: [{ type: "text", text: "Remember the task." }] };
    const processLLMRequest = ({ prompt }: { prompt: object[] }) => ({ prompt: [...prompt, reminder] });
    const remind = { id: "remind", processLLMRequest };
    const { prompts } = await generate(agentOf({ read_file: nothing() }, {}, { inputProcessors: [remind] }), looping());

    expect(prompts[0]).toContain("Remember the task.");
    expect(prompts).toHaveLength(6);
  });

  it("still nudges and stops where a call's own hooks replace those of the agent", async () => {
    const hooks = { beforeToolCall: () => {} };
    const { prompts } = await generate(agentOf({ read_file: nothing() }), looping(12), { hooks });

    expect(prompts.length).toBeLessThan(10);
  });

  it.each(["generate", "stream"] as const)(
    "hears thoughts and words before the calls of an answer, in %s",
    async (how) => {
      const heard: string[] = [];
      const own = createGuard(QUICK);
      const observe = (event: AgentEvent) => {
        heard.push("text" in event && event.text ? `${event.type} ${event.text}` : event.type);
        return own.observe(event);
      };
      const agent = agentOf({ read_file: nothing() }, { guard: { ...own, observe } });
      const script = looping(2).map((answer, at) => ({ ...answer, reasoning: `thought ${at}`, text: `word ${at}` }));
      await scripted([...script, { text: "The end." }], async () => {
        if (how === "generate") return agent.generate("go", { maxSteps: 30 });
        for await (const _chunk of (await agent.stream("go", { maxSteps: 30 })).fullStream);
        return undefined;
      });

      const answer = (at: number) => ["round", `reasoning thought ${at}`, `text word ${at}`, "call", "result"];
      expect(heard).toEqual(["user", "user go", ...answer(0), ...answer(1), "round", "text The end."]);
    },
  );

  it("observes a request once that fails and is made again", async () => {
    const types: string[] = [];
    const own = createGuard();
    const observe = (event: AgentEvent) => {
      types.push(event.type);
      return own.observe(event);
    };
    let failures = 0;
    const model = scriptedModel();
    const doGenerate = model.doGenerate;
    model.doGenerate = async (request) => {
      if (request.prompt.at(-1)?.role === "tool" && failures++ === 0) throw new Error("refused");
      return doGenerate(request);
    };
    const again = { id: "again", processAPIError: () => ({ retry: true }) };
    const more = { model, errorProcessors: [again] };
    const agent = agentOf({ read_file: nothing() }, { guard: { ...own, observe } }, more);
    const { requests } = await generate(agent, looping(2), { maxProcessorRetries: 2 });

    expect(failures).toBeGreaterThan(1);
    expect(requests).toHaveLength(3);
    expect(types).toEqual(["user", "user", "round", "call", "result", "round", "call", "result", "round", "text"]);
  });
});

describe("guard, with runs of many", () => {
  it("keeps runs apart that share the host's request", async () => {
    const agent = agentOf({ read_file: nothing() });
    const requestContext = new RequestContext();
    const runs = await Promise.all([1, 2, 3, 4].map((at) => generate(agent, looping(2, at * 10), { requestContext })));

    expect(runs.flatMap(({ prompts }) => prompts)).toHaveLength(12);
    expect(runs.flatMap(({ prompts }) => prompts).filter((prompt) => prompt.includes(WORDS))).toEqual([]);
  });

  it("keeps runs apart whose calls have the same ids at the same time", async () => {
    let executed = 0;
    const read_file = readFile(async () => {
      executed++;
      return "nothing found";
    });
    // All of them have their answer before any of them runs its call.
    const waiting = new Set<() => void>();
    const processOutputStep = async ({ messages }: { messages: unknown }) => {
      await new Promise<void>((release) => {
        waiting.add(release);
        if (waiting.size < 3) return;
        for (const each of waiting) each();
        waiting.clear();
      });
      return messages;
    };
    const agent = agentOf({ read_file }, {}, { outputProcessors: [{ id: "together", processOutputStep }] });
    const runs = await Promise.all([1, 2, 3].map(() => generate(agent, looping())));

    expect(runs.map(({ requests }) => requests.length)).toEqual([6, 6, 6]);
    expect(executed).toBe(12);
  });

  it("takes a thread's next turn for what it is, and goes on after an end", async () => {
    const memory = new MockMemory();
    const agent = agentOf({ read_file: nothing() }, {}, { memory });
    const settings = { memory: { thread: "t", resource: "r" } };
    for (let turn = 0; turn < 4; turn++) {
      const { prompts } = await generate(agent, looping(1, turn), settings);
      expect(prompts.filter((prompt) => prompt.includes(WORDS))).toEqual([]);
    }
    expect((await generate(agent, looping(10, 10), settings)).requests).toHaveLength(6);
    const { requests, result } = await generate(agent, looping(2, 30), settings);

    expect(requests).toHaveLength(3);
    expect(result.tripwire).toBeUndefined();
    expect(requests.flatMap(({ messages }) => protocolFaults(messages))).toEqual([]);
  });
});

describe("guard, beside a human who must agree", () => {
  async function askAll(agent: AgentLike, answer: (result: Result) => Promise<Result>) {
    const script = looping();
    const prompts: string[] = [];
    let asked = 0;
    let run = await generate(agent, script);
    prompts.push(...run.prompts);
    while (run.result.finishReason === "suspended") {
      asked++;
      const { result } = run;
      run = await scripted(script.slice(prompts.length), () => answer(result));
      prompts.push(...run.prompts);
    }
    return { prompts, asked };
  }

  it("sees a loop of approved calls", async () => {
    const executed: unknown[] = [];
    const read_file = readFile(async (input) => executed.push(input) && "nothing found", { requireApproval: true });
    const agent = agentOf({ read_file });
    const { prompts, asked } = await askAll(agent, ({ runId }) =>
      agent.approveToolCallGenerate({ runId, maxSteps: 30 }),
    );

    // What a human agreed to is run.
    expect(executed).toHaveLength(6);
    expect(asked).toBe(6);
    expect(prompts).toHaveLength(6);
    expect(prompts.map((prompt) => prompt.includes(WORDS))).toEqual([false, false, false, true, true, true]);
  });

  it("runs nothing that the human declines", async () => {
    const executed: unknown[] = [];
    const read_file = readFile(async (input) => executed.push(input) && "nothing found", { requireApproval: true });
    const agent = agentOf({ read_file });
    const { asked } = await askAll(agent, ({ runId }) => agent.declineToolCallGenerate({ runId, maxSteps: 30 }));

    expect(executed).toEqual([]);
    expect(asked).toBeGreaterThan(0);
  });

  it("observes a call once that waits for a human and is then run", async () => {
    const types: string[] = [];
    const own = createGuard();
    const observe = (event: AgentEvent) => {
      types.push(event.type);
      return own.observe(event);
    };
    const schema = z.object({ ok: z.boolean() });
    const read_file = readFile(
      async (_input, context) => {
        const { resumeData, suspend } = (context as { agent: { resumeData?: object; suspend(data: object): unknown } })
          .agent;
        return resumeData === undefined ? suspend({ ok: true }) : "nothing found";
      },
      { suspendSchema: schema, resumeSchema: schema },
    );
    const agent = agentOf({ read_file }, { guard: { ...own, observe } });
    const first = await generate(agent, looping(1));
    const { runId } = first.result;
    await scripted(looping(1).slice(1), () => agent.resumeGenerate({ ok: true }, { runId, maxSteps: 30 }));

    expect(first.result.finishReason).toBe("suspended");
    expect(types).toEqual(["user", "user", "round", "call", "result", "round", "text"]);
  });
});

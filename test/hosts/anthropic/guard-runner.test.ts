import { mcpTool } from "@anthropic-ai/sdk/helpers/beta/mcp";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import type { BetaRunnableToolset } from "@anthropic-ai/sdk/lib/tools/BetaRunnableToolset";
import type { BetaToolRunnerParams } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";
import { ToolError } from "@anthropic-ai/sdk/lib/tools/ToolError";
import type { BetaMessageParam } from "@anthropic-ai/sdk/resources/beta";
import { type AgentEvent, createGuard, type Decision, LOOP_DETECTED } from "doomloop";
import { guard, type HostOptions, type LoopStop, loopStop } from "doomloop/anthropic";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { HostRequest, ScriptedAnswer, ScriptedCall } from "../../contracts/adapter-driver.ts";
import { loopScript, QUICK, twinScript } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import { scriptedClient } from "./messages-server.ts";

const WORDS = "[doomloop]";
const prompt = { role: "user", content: "Where is it?" } as const;
const base = { model: "scripted", max_tokens: 100, messages: [prompt] };

/** The tool that the loop calls, which counts how often it runs. */
function readFile(run: BetaRunnableTool["run"] = () => "nothing found") {
  const runs: unknown[] = [];
  const input_schema = { type: "object" as const };
  const tool: BetaRunnableTool = {
    name: "read_file",
    input_schema,
    parse: (content) => content,
    run(args, context) {
      runs.push(args);
      return run(args, context);
    },
  };
  return { tool, runs };
}

/** A guard that notes what it is told. */
function watched() {
  const events: AgentEvent[] = [];
  const own = createGuard(QUICK);
  const observe = (event: AgentEvent): Decision => {
    events.push(event);
    return own.observe(event);
  };
  return { events, own: { ...own, observe } };
}

/** A loop of one call, however it is written. */
function loopOf(call: Partial<ScriptedCall> & { toolset?: string }, length = 10): ScriptedAnswer[] {
  return loopScript(length).map(({ calls }) => ({ calls: calls?.map((made) => ({ ...made, ...call })) ?? [] }));
}

function wordsIn(requests: readonly HostRequest[]): boolean[] {
  return requests.map((request) => JSON.stringify(request).includes(WORDS));
}

function lastResult(request: HostRequest | undefined): string {
  const part = request?.messages.at(-1)?.parts.at(-1);
  return part?.type === "result" ? part.text : "";
}

const ways = [
  { way: "in whole answers", how: {} },
  { way: "in whole answers without a thread", how: { thread: false } },
  { way: "in a stream", how: { stream: true } },
  { way: "in a stream, with tools that run meanwhile", how: { stream: true, runToolsEagerly: true } },
] as { way: string; how: Partial<BetaToolRunnerParams> }[];

describe.each(ways)("guard, on a runner, $way", ({ how }) => {
  const start = (tools: BetaToolRunnerParams["tools"], script = loopScript(), options?: HostOptions) => {
    const { client, requests } = scriptedClient(script);
    return {
      runner: guard(client.beta.messages.toolRunner({ ...base, tools, ...how }), { ...QUICK, ...options }),
      requests,
    };
  };

  it("ends a runner that is awaited, with its last answer as the result", async () => {
    const { tool, runs } = readFile();
    const { runner, requests } = start([tool]);
    const message = await runner;

    expect(message).toMatchObject({ id: "message-6", stop_reason: "tool_use" });
    expect(await runner.done()).toBe(message);
    expect(requests).toHaveLength(6);
    expect(runs).toHaveLength(4);
    expect(loopStop(runner)).toMatchObject({ callId: "call-6", status: "LOOP_DETECTED" });
  });

  it("leaves a history that can be gone on with", async () => {
    const { runner } = start([readFile().tool]);
    await runner;
    const { client, requests } = scriptedClient([]);
    await client.beta.messages.create({ ...base, messages: [...runner.params.messages] });

    expect(requests[0]?.messages).toHaveLength(13);
    expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual([[]]);
    expect(lastResult(requests[0])).toContain(WORDS);
  });

  it("goes on in a new runner when the user has spoken", async () => {
    const { tool, runs } = readFile();
    const ended = start([tool]).runner;
    await ended;
    const { client, requests } = scriptedClient(loopScript(2));
    const messages = [...ended.params.messages, { role: "user", content: "Look once more." } as const];
    const runner = guard(client.beta.messages.toolRunner({ ...base, tools: [tool], ...how, messages }), QUICK);
    await runner;

    expect(loopStop(runner)).toBeUndefined();
    expect(runs).toHaveLength(4 + 2);
    expect(requests.map(({ messages }) => protocolFaults(messages))).toEqual([[], [], []]);
  });

  it("goes on in a new process where the last one was, if its history ends with results", async () => {
    const { tool, runs } = readFile();
    const first = scriptedClient(loopScript());
    const limited = { ...base, tools: [tool], ...how, max_iterations: 4 };
    const ended = guard(first.client.beta.messages.toolRunner(limited), QUICK);
    await ended;
    const last = await ended.generateToolResponse();
    const { messages } = JSON.parse(JSON.stringify(ended.params)) as { messages: BetaMessageParam[] };
    if (messages.at(-1)?.role === "assistant" && last !== null) messages.push(last);
    const { client, requests } = scriptedClient(loopScript().slice(4));
    const runner = guard(client.beta.messages.toolRunner({ ...base, tools: [tool], ...how, messages }), QUICK);
    await runner;

    expect(runs).toHaveLength(4);
    expect(lastResult(requests[1])).toContain("Not run:");
    expect(loopStop(runner)).toMatchObject({ callId: "call-6" });
  });

  it("hears what the model says and thinks in the order of the answer, and a whole answer as one", async () => {
    const { events, own } = watched();
    const script = [
      { reasoning: "Hm.", ...loopScript(1)[0]! },
      { reasoning: "Well.", text: "No." },
    ];
    await start([readFile().tool], script, { guard: own }).runner;

    expect(events.filter(({ type }) => type === "reasoning" || type === "text")).toMatchObject([
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "I look again.", partial: true },
      { type: "reasoning", text: "Well." },
      { type: "text", text: "No." },
    ]);
  });

  it("runs each call once where the body asks for the results, and keeps them in the history", async () => {
    const { tool, runs } = readFile();
    const { runner, requests } = start([tool]);
    const seen: unknown[] = [];
    for await (const answer of runner) {
      if ("finalMessage" in answer) await answer.finalMessage();
      seen.push(await runner.generateToolResponse());
    }

    expect(requests).toHaveLength(6);
    expect(runs).toHaveLength(4);
    expect(JSON.stringify(seen[2])).toContain(WORDS);
    expect(runner.params.messages).toHaveLength(13);
    expect(runner.params.messages.at(-1)).toEqual(seen.at(-1));
    expect(await runner.done()).toMatchObject({ id: "message-6" });
  });

  it("runs no other call of the last answer twice where the body asks for the results", async () => {
    const { tool, runs } = readFile();
    // It brings nothing new: tools may run while the answer streams, and news would take the ladder back.
    const other = readFile();
    const script = loopScript();
    script[5] = { calls: [{ id: "page", tool: "read_page", args: { page: 1 } }, ...script[5]!.calls!] };
    const { runner } = start([tool, { ...other.tool, name: "read_page" } as BetaRunnableTool], script);
    for await (const answer of runner) {
      if ("finalMessage" in answer) await answer.finalMessage();
      await runner.generateToolResponse();
    }

    expect(loopStop(runner)).toBeDefined();
    expect(runs).toHaveLength(4);
    expect(other.runs).toEqual([{ page: 1 }]);
  });

  it("ends a run at a result too", async () => {
    const own = createGuard();
    const observe = (event: AgentEvent): Decision =>
      event.type === "result" && event.id === "call-2"
        ? { action: "stop", message: "enough", status: LOOP_DETECTED }
        : own.observe(event);
    const { runner, requests } = start([readFile().tool], loopScript(), { guard: { ...own, observe } });
    await runner;

    expect(requests).toHaveLength(2);
    expect(loopStop(runner)).toMatchObject({ message: "enough", callId: "call-2" });
  });

  it("leaves it to a body that takes over the history", async () => {
    const takeOver = async (isGuarded: boolean) => {
      const { tool, runs } = readFile();
      const { client, requests } = scriptedClient(loopScript(2));
      const runner = client.beta.messages.toolRunner({ ...base, tools: [tool], ...how });
      if (isGuarded) guard(runner);
      for await (const answer of runner) {
        const message = "finalMessage" in answer ? await answer.finalMessage() : answer;
        const results = await runner.generateToolResponse();
        if (results === null) break;
        const note = { role: "user", content: "Note this." } as const;
        runner.pushMessages({ role: "assistant", content: message.content }, results, note);
      }
      return { requests, runs };
    };

    expect(JSON.stringify(await takeOver(true))).toBe(JSON.stringify(await takeOver(false)));
  });

  it("ends a runner whose body takes over the history", async () => {
    const { tool, runs } = readFile();
    const { runner, requests } = start([tool]);
    for await (const answer of runner) {
      const message = "finalMessage" in answer ? await answer.finalMessage() : answer;
      const results = await runner.generateToolResponse();
      if (results !== null) runner.pushMessages({ role: "assistant", content: message.content }, results);
    }

    expect(requests).toHaveLength(6);
    expect(runs).toHaveLength(4);
    expect(runner.params.messages).toHaveLength(13);
  });

  /** One look-up for each of ten questions, all in one runner; `say` adds the next question to the history. */
  async function chat(say: (runner: ReturnType<typeof start>["runner"], ...added: BetaMessageParam[]) => void) {
    const { tool, runs } = readFile();
    const script = Array.from({ length: 10 }, () => [...loopScript(1), { text: "Nothing." }]).flat();
    const { runner } = start([tool], script);
    let asked = 1;
    for await (const answer of runner) {
      const { role, content, stop_reason } = "finalMessage" in answer ? await answer.finalMessage() : answer;
      if (stop_reason !== "end_turn" || asked === 10) continue;
      say(runner, { role, content }, { role: "user", content: `Question ${++asked}?` });
    }
    return { runs, stopped: loopStop(runner) };
  }

  it("hears the user whose words the body adds", async () => {
    const { runs, stopped } = await chat((runner, ...added) => runner.pushMessages(...added));

    expect(stopped).toBeUndefined();
    expect(runs).toHaveLength(10);
  });

  it("hears the user whose words the body sets with a copy of the history", async () => {
    const { runs, stopped } = await chat((runner, ...added) =>
      runner.setMessagesParams((params) => ({
        ...params,
        messages: [...(structuredClone(params.messages) as BetaMessageParam[]), ...added],
      })),
    );

    expect(stopped).toBeUndefined();
    expect(runs).toHaveLength(10);
  });

  it("gives the caller's own limit back, so that the parameters of an ended run serve for another", async () => {
    for (const own of [{}, { max_iterations: 20 }] as { max_iterations?: number }[]) {
      const { tool, runs } = readFile();
      const first = scriptedClient(loopScript());
      const ended = guard(first.client.beta.messages.toolRunner({ ...base, tools: [tool], ...how, ...own }), QUICK);
      await ended;
      const { client, requests } = scriptedClient(loopScript(2));
      const messages = [...ended.params.messages, { role: "user", content: "Look once more." } as const];
      const runner = guard(client.beta.messages.toolRunner({ ...ended.params, messages }), QUICK);
      await runner;

      expect(loopStop(ended)).toBeDefined();
      expect(ended.params.max_iterations).toBe(own.max_iterations);
      expect(first.requests).toHaveLength(6);
      expect(requests).toHaveLength(3);
      expect(runs).toHaveLength(4 + 2);
      expect(loopStop(runner)).toBeUndefined();
    }
  });

  it("guards a runner once, however often it is asked to", async () => {
    const { tool, runs } = readFile();
    const { runner, requests } = start([tool]);
    const again = guard(runner, QUICK);
    await again;

    expect(again).toBe(runner);
    expect(loopStop(again)).toBeDefined();
    expect(requests).toHaveLength(6);
    expect(runs).toHaveLength(4);
  });

  it("puts words behind what a tool's own error shows, and shows it as it is before", async () => {
    const shown = [{ type: "text" as const, text: "the disk is full" }];
    const thrown = new ToolError(shown);
    const { runner, requests } = start([
      readFile(() => {
        throw thrown;
      }).tool,
    ]);
    await runner;

    expect(lastResult(requests[2])).toBe(JSON.stringify(shown));
    expect(JSON.parse(lastResult(requests[3]))).toEqual([
      ...shown,
      { type: "text", text: expect.stringContaining(WORDS) },
    ]);
    expect(thrown.content).toBe(shown);
    expect(shown).toHaveLength(1);
    expect(requests).toHaveLength(6);
  });

  it("puts words behind blocks that a tool gives", async () => {
    const blocks = [{ type: "text" as const, text: "nothing" }];
    const { runner, requests } = start([readFile(() => blocks).tool]);
    await runner;

    expect(JSON.parse(lastResult(requests[3]))).toEqual([
      ...blocks,
      { type: "text", text: expect.stringContaining(WORDS) },
    ]);
    expect(blocks).toHaveLength(1);
  });

  it("says why to a model whose arguments the tool refuses, and ends the run", async () => {
    const tool = betaZodTool({
      name: "read_file",
      description: "reads a file",
      inputSchema: z.object({ page: z.number() }),
      run: () => "never",
    });
    const { runner, requests } = start([tool]);
    await runner;

    expect(lastResult(requests[2])).not.toContain(WORDS);
    expect(lastResult(requests[3])).toMatch(/page[\s\S]+\[doomloop\]/);
    expect(requests).toHaveLength(6);
  });

  it("ends a run whose tool does not exist", async () => {
    const { runner, requests } = start([readFile().tool], loopOf({ tool: "look_around" }));
    await runner;

    expect(lastResult(requests[1])).toContain("not found");
    expect(requests).toHaveLength(6);
    expect(loopStop(runner)).toBeDefined();
  });

  it("does not take a call for unknown that the body answers by itself", async () => {
    const ask = { name: "read_file", input_schema: { type: "object" as const } };
    const { runner, requests } = start([ask], loopScript(9), { levels: { refused: 10, ended: 20 } });
    for await (const answer of runner) {
      const message = "finalMessage" in answer ? await answer.finalMessage() : answer;
      const content = message.content.flatMap((block) =>
        block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "yes" }] : [],
      );
      if (content.length === 0) break;
      runner.pushMessages({ role: "assistant", content: message.content }, { role: "user", content });
    }

    expect(requests).toHaveLength(10);
    expect(loopStop(runner)).toBeUndefined();
  });

  it("guards the actions of a toolset", async () => {
    const runs: unknown[] = [];
    const toolset: BetaRunnableToolset = {
      type: "computer_toolset_20260801",
      run(_context, { input }) {
        runs.push(input);
        return [{ type: "text", text: "nothing happened" }];
      },
    };
    const { runner, requests } = start([toolset], loopOf({ toolset: "computer" }));
    await runner;

    expect(runs).toHaveLength(4);
    expect(wordsIn(requests)).toEqual([false, false, false, true, true, true]);
  });

  it("takes the equal actions of a toolset in one answer for one round, though they run one after the other", async () => {
    const { events, own } = watched();
    const toolset: BetaRunnableToolset = {
      type: "computer_toolset_20260801",
      run: () => [{ type: "text", text: "nothing happened" }],
    };
    const [{ calls = [] }] = twinScript(1, 4) as [ScriptedAnswer];
    const script = [{ calls: calls.map((call) => ({ ...call, toolset: "computer" })) }];
    const { runner, requests } = start([toolset], script, { guard: own });
    await runner;

    expect(wordsIn(requests)).toEqual([false, false]);
    expect(events.filter(({ type }) => type === "call")).toHaveLength(4);
  });

  it("keeps the caller's own limit and a signal to abort", async () => {
    const { client, requests } = scriptedClient(loopScript());
    const limited = client.beta.messages.toolRunner({ ...base, tools: [readFile().tool], ...how, max_iterations: 2 });
    await guard(limited);
    const aborted = client.beta.messages.toolRunner(
      { ...base, tools: [readFile().tool], ...how },
      { signal: AbortSignal.abort() },
    );

    expect(requests).toHaveLength(2);
    await expect(guard(aborted)).rejects.toThrow("aborted");
  });
});

describe("guard, on a runner", () => {
  it("gives back the same runner, and each runner of the same tools a guard of its own", async () => {
    const stops: LoopStop[] = [];
    const tools = guard([readFile().tool], { ...QUICK, onStop: (stop) => void stops.push(stop) });
    for (let turn = 0; turn < 3; turn++) {
      const { client, requests } = scriptedClient(loopScript(2));
      const runner = client.beta.messages.toolRunner({ ...base, tools });
      expect(guard(runner)).toBe(runner);
      await runner;

      expect(wordsIn(requests)).toEqual([false, false, false]);
    }
    const { client } = scriptedClient(loopScript());
    await guard(client.beta.messages.toolRunner({ ...base, tools }));

    expect(stops).toHaveLength(1);
  });

  it("sends what a helper's tool sends, with the mark of the helper", async () => {
    const server = { callTool: async () => ({ content: [{ type: "text" as const, text: "here" }] }) };
    const tool = () => mcpTool({ name: "read_file", inputSchema: { type: "object" } }, server);
    const bare = scriptedClient(loopScript(1));
    const guarded = scriptedClient(loopScript(1));
    await bare.client.beta.messages.toolRunner({ ...base, tools: [tool()] });
    await guard(guarded.client.beta.messages.toolRunner({ ...base, tools: [tool()] }));

    expect(JSON.stringify(bare.requests)).toContain("mcpTool");
    expect(JSON.stringify(guarded.requests)).toBe(JSON.stringify(bare.requests));
  });

  it("wraps a frozen tool, and one of a class with private fields", async () => {
    class Lookup {
      readonly #found = "nothing";
      readonly input_schema = { type: "object" as const };
      get name() {
        return `read_${this.#found.length > 0 ? "file" : "page"}`;
      }
      parse(content: unknown) {
        return this.#found && content;
      }
      run() {
        return this.#found;
      }
      toJSON() {
        return { name: this.name, input_schema: this.input_schema, description: this.#found };
      }
    }
    for (const tool of [Object.freeze(readFile().tool), new Lookup()]) {
      const { client, requests } = scriptedClient(loopScript());
      await guard(client.beta.messages.toolRunner({ ...base, tools: [tool] }), QUICK);

      expect(requests).toHaveLength(6);
      expect(lastResult(requests[1])).toContain("nothing");
    }
  });

  it("hands on what the runner passes, and calls the tool as its method", async () => {
    const seen: unknown[] = [];
    const tool = {
      ...readFile().tool,
      secret: "a",
      run(this: { secret: string }, args: unknown, context: { toolUse: { id: string } }) {
        seen.push(this.secret, args, context.toolUse.id);
        return "nothing";
      },
    } as unknown as BetaRunnableTool;
    const { client } = scriptedClient(loopScript(1));
    await guard(client.beta.messages.toolRunner({ ...base, tools: [tool] }));

    expect(seen).toEqual(["a", { path: "notes.md" }, "call-1"]);
  });

  it("guards tools that are added or set while it runs", async () => {
    const added = readFile();
    const first = scriptedClient(loopScript());
    const adding = guard(first.client.beta.messages.toolRunner({ ...base, tools: [] }), QUICK);
    adding.addTools(added.tool);
    await adding;
    const set = readFile();
    const second = scriptedClient(loopScript());
    const setting = guard(second.client.beta.messages.toolRunner({ ...base, tools: [], thread: false }), QUICK);
    setting.setMessagesParams((params) => ({ ...params, tools: [set.tool] }));
    await setting;

    expect([added.runs.length, first.requests.length]).toEqual([4, 6]);
    expect([set.runs.length, second.requests.length]).toEqual([4, 6]);
  });

  it("lets the body hold a call until a human has agreed", async () => {
    const { tool, runs } = readFile();
    const { client } = scriptedClient(loopScript());
    const params = { ...base, tools: [tool], stream: true as const, runToolsEagerly: true };
    const runner = guard(client.beta.messages.toolRunner(params));
    const held: string[] = [];
    for await (const stream of runner) {
      stream.on("contentBlock", (block) => block.type === "tool_use" && runner.deferToolCall(block));
      await stream.finalMessage();
      held.push(...runner.deferredToolCalls.map(({ id }) => id));
      if (held.length > 0) break;
    }

    expect(held).toEqual(["call-1"]);
    expect(runs).toEqual([]);
  });

  it("serves a thread of the caller's, turn after turn", async () => {
    const { client, requests } = scriptedClient([...loopScript(2), { text: "No." }, ...loopScript(2)]);
    const thread = client.beta.messages.thread({ ...base, tools: [readFile().tool] });
    await guard(thread.toolRunner());
    thread.append({ role: "user", content: "Look again." });
    await guard(thread.toolRunner());

    expect(requests).toHaveLength(6);
    expect(requests.at(-1)?.messages).toHaveLength(11);
    expect(wordsIn(requests)).toEqual(requests.map(() => false));
  });

  it("fails as the request fails", async () => {
    const { client } = scriptedClient(loopScript());
    const broken = client.withOptions({ fetch: () => Promise.reject(new TypeError("no network")) });

    await expect(guard(broken.beta.messages.toolRunner({ ...base, tools: [readFile().tool] }))).rejects.toThrow(
      "Connection error",
    );
  });
});

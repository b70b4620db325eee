import { AIMessage, HumanMessage, mapStoredMessagesToChatMessages, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { type GuardedAgentOptions, guard, type LoopStop, loopStop } from "doomloop/langchain";
import { createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import { scripts } from "../shared/scripts.ts";
import { type Agent, agentOf, anyTool, countOf, looping, onThread, runWith, WORDS } from "./run-agent.ts";

const nothing = () => anyTool("read_file", () => "nothing found");
const onSaver = () => ({ checkpointer: new MemorySaver() });
const EXPLANATION =
  "Stopped: the agent called `read_file` 4 times with the same arguments and got the same result each time. 2 more such calls were refused.";

interface Threaded extends Agent {
  getState(config: object): Promise<{ values: object }>;
  stream(input: object, config: object): Promise<AsyncIterable<unknown>>;
}

describe("loopStop", () => {
  it("reads the end from a result, a list of messages and a message", async () => {
    const result = await runWith(agentOf([nothing()], QUICK), looping());
    const stop = loopStop(result);

    expect(stop).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file", count: 4, explanation: EXPLANATION });
    expect(loopStop(result.messages)).toBe(stop);
    expect(loopStop(result.messages.at(-1))).toBe(stop);
    expect(loopStop(result.messages.at(-2))).toBeUndefined();
  });

  it("is undefined where the guard ended nothing", async () => {
    const result = await runWith(agentOf([nothing()], {}), looping(4));

    expect(loopStop(result)).toBeUndefined();
    expect(loopStop(undefined)).toBeUndefined();
    expect(loopStop([])).toBeUndefined();
    expect(loopStop([undefined, "go", { response_metadata: { doomloop: "no" } }] as never)).toBeUndefined();
    expect(loopStop({ messages: "go" } as never)).toBeUndefined();
  });

  it("reads it from a checkpoint, and from messages that were JSON", async () => {
    const agent = agentOf([nothing()], {}, onSaver()) as Threaded;
    const result = await runWith(agent, looping(), onThread("a"));
    const { values } = await agent.getState(onThread("a"));
    const stored = JSON.parse(JSON.stringify(result.messages.map((message) => message.toDict())));

    expect(loopStop(values)).toEqual(loopStop(result));
    expect(loopStop(mapStoredMessagesToChatMessages(stored))).toEqual(loopStop(result));
    expect(loopStop(stored.map(({ type, data }: { type: string; data: object }) => ({ ...data, type })))).toEqual(
      loopStop(result),
    );
  });

  it("is that of the latest run of a thread", async () => {
    const agent = agentOf([nothing()], QUICK, onSaver());
    await runWith(agent, looping(), onThread("a"));
    const healthy = await runWith(agent, looping(2, "read_file", 20), onThread("a"));
    const ended = await runWith(agent, looping(10, "read_file", 30), onThread("a"));

    expect(loopStop(healthy)).toBeUndefined();
    expect(loopStop(ended)).toMatchObject({ run: "a", callId: expect.stringMatching(/^call-3/) });
  });

  it("is each run's own where several end at one time", async () => {
    const agent = agentOf([anyTool("read_file", async () => "nothing")], QUICK, onSaver());
    const runs = await Promise.all(["a", "b", "c"].map((id) => runWith(agent, looping(), onThread(id))));

    expect(runs.map((run) => loopStop(run)?.run)).toEqual(["a", "b", "c"]);
  });
});

describe("guard, where an end is an error", () => {
  const failing: GuardedAgentOptions = { ...QUICK, exitBehavior: "error" };

  it("rejects the run with the very error, in a stream too", async () => {
    const stops: LoopStop[] = [];
    const agent = agentOf([nothing()], { ...failing, onStop: (stop) => void stops.push(stop) }) as Threaded;
    const streamed = async () => {
      const input = { messages: [new HumanMessage("go")] };
      for await (const _ of await agent.stream(input, { streamMode: "values" }));
    };
    const errors = [
      await runWith(agent, looping()).catch((error) => error),
      await scripts.run({ answers: looping(), requests: [] }, streamed).catch((error) => error),
    ];

    expect(stops).toMatchObject([{ tool: "read_file" }, { tool: "read_file" }]);
    expect(errors.map((error) => loopStop(error))).toEqual(stops);
    expect(errors[0]).toMatchObject({ name: "LoopStopError", message: EXPLANATION });
    expect(loopStop(new Error("wrapped", { cause: errors[0] }))).toBe(stops[0]);
    expect(loopStop(new Error(EXPLANATION))).toBeUndefined();
  });

  it("is the cause of the host's error where another wrapper of the model stands before it", async () => {
    const passing = createMiddleware({ name: "passing", wrapModelCall: (request, handler) => handler(request) });
    const agent = agentOf([nothing()], failing, { middleware: [passing], isGuardLast: true });
    const error = await runWith(agent, looping()).catch((error) => error);

    expect(error).toMatchObject({ name: "LoopStopError", message: EXPLANATION });
    expect(loopStop(error)).toMatchObject({ tool: "read_file", explanation: EXPLANATION });
  });

  it("lets the thread go on when the user speaks, with names and words as the model knows them", async () => {
    const agent = agentOf([nothing()], failing, onSaver()) as Threaded;
    await expect(runWith(agent, looping(), onThread("a"))).rejects.toThrow(EXPLANATION);
    const { requests, prompts, messages } = await runWith(agent, looping(2, "read_file", 20), onThread("a"));

    expect(requests).toHaveLength(3);
    expect(prompts[0]).toContain("This run is stopped:");
    expect(requests.flatMap((request) => protocolFaults(request.messages))).toEqual([]);
    expect(JSON.stringify([requests, messages])).not.toContain("blocked_by_doomloop");
    expect(JSON.stringify(messages)).toContain("This run is stopped:");
  });

  it("stays ended where nobody has spoken", async () => {
    const agent = agentOf([nothing()], failing, onSaver());
    await expect(runWith(agent, looping(), onThread("a"))).rejects.toThrow(EXPLANATION);
    const requests: never[] = [];
    const again = scripts.run({ answers: looping(), requests }, () => agent.invoke(null, onThread("a")));

    await expect(again).rejects.toThrow(EXPLANATION);
    expect(requests).toEqual([]);
  });

  it("refuses another word for it", () => {
    expect(() => guard({ model: "" }, { exitBehavior: "throw" as never })).toThrow(
      'guard: exitBehavior: "end" or "error" is required, got "throw"',
    );
  });
});

describe("guard, after a request that failed", () => {
  it("keeps the words that came with it", async () => {
    const answers = Object.defineProperty(looping(3), 3, {
      get() {
        throw new RangeError("too many requests");
      },
    });
    const agent = agentOf([nothing()], {}, onSaver());
    await expect(runWith(agent, answers, onThread("a"))).rejects.toThrow("too many requests");
    const { prompts, messages } = await runWith(agent, [{ text: "Sorry." }], onThread("a"));

    expect(countOf(prompts[0])).toBe(1);
    expect(messages.filter(ToolMessage.isInstance).map(({ text }) => text.includes(WORDS))).toEqual([
      false,
      false,
      true,
    ]);
    expect(messages.at(-1)).toBeInstanceOf(AIMessage);
  });
});

import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  type CompiledStateGraph,
  END,
  interrupt,
  MemorySaver,
  Send,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { type AgentEvent, createGuard } from "doomloop";
import { type GuardedToolNode, guard, loopStop } from "doomloop/langchain";
import { describe, expect, it } from "vitest";
import type { HostDowngrade } from "../../../packages/doomloop/src/host/host-options.ts";
import type { ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import { type Agent, anyTool, countOf, looping, onThread, runWith, WORDS } from "./run-agent.ts";
import { ScriptedModel } from "./scripted-model.ts";

type Node = GuardedToolNode<unknown, unknown>;

/** Messages as a graph keeps them that has no reducer but this: what a node returns is what the next one gets. */
const State = Annotation.Root({
  messages: Annotation<BaseMessage[]>({ reducer: (left, right) => [...left, ...right], default: () => [] }),
});

function graphOf(
  tools: object[],
  node: Node,
  settings: { canEnd?: boolean; sends?: boolean; hasThreads?: boolean; reports?: boolean } = {},
) {
  const { canEnd = true, sends = false, hasThreads = false, reports = false } = settings;
  const end = reports ? "report" : END;
  const model = new ScriptedModel().bindTools(tools);
  const send = ({ messages }: typeof State.State) => {
    const calls = (messages.at(-1) as AIMessage).tool_calls ?? [];
    return calls.length === 0 ? END : calls.map((call) => new Send("tools", { messages, lg_tool_call: call }));
  };
  const graph = new StateGraph(State)
    .addNode("agent", async ({ messages }) => ({ messages: [(await model.invoke(messages)) as BaseMessage] }))
    .addNode("tools", node as never)
    .addEdge(START, "agent")
    .addConditionalEdges("agent", (sends ? send : toolsCondition) as never, ["tools", END] as never)
    .addConditionalEdges("tools", canEnd ? node.orEnd("agent") : () => "agent", {
      agent: "agent",
      [END]: end,
    } as never);
  if (reports) graph.addNode("report", () => ({ messages: [new AIMessage("I tried to look it up.")] }));
  return graph.compile(hasThreads ? { checkpointer: new MemorySaver() } : {}) as unknown as Agent;
}

const answerWith = (name: string) => new AIMessage({ content: "", tool_calls: [{ id: "a", name, args: {} }] });
const nothing = () => anyTool("read_file", () => "nothing found");
const nodeOf = (tools: object[], ...more: [object?]) => new ToolNode(tools as never, ...more);

describe("guard, with a ToolNode", () => {
  it("answers a blocked call with a message of the host's class", async () => {
    const tools = [nothing()];
    const { messages } = await runWith(graphOf(tools, guard(nodeOf(tools), QUICK)), looping());

    expect(messages.filter(ToolMessage.isInstance)).toHaveLength(6);
    expect(messages.at(-1)).toMatchObject({ tool_call_id: "call-6", name: "read_file", status: "error" });
    expect(Object.keys(messages.at(-1) as object)).not.toContain("role");
  });

  it("blocks where the graph has no edge to the end, and says so", async () => {
    const tools = [nothing()];
    const downgrades: HostDowngrade[] = [];
    const node = guard(nodeOf(tools), { ...QUICK, onDowngrade: (downgrade) => void downgrades.push(downgrade) });
    const { requests, messages } = await runWith(graphOf(tools, node, { canEnd: false }), looping());

    expect(requests).toHaveLength(11);
    expect(downgrades.map(({ decided, done }) => `${decided} ${done}`)).toEqual(["stop block"]);
    expect(messages.filter(({ content }) => content === "nothing found" || countOf(String(content)) > 0)).toHaveLength(
      10,
    );
  });

  it("judges each call where the graph sends them one by one", async () => {
    const tools = [nothing()];
    const script: ScriptedAnswer[] = Array.from({ length: 8 }, (_, at) => ({
      calls: ["a", "b"].map((twin) => ({ id: `${twin}-${at}`, tool: "read_file", args: { path: "x" } })),
    }));
    const { requests } = await runWith(graphOf(tools, guard(nodeOf(tools), QUICK), { sends: true }), script);

    expect(requests).toHaveLength(6);
    expect(requests.slice(0, 3).map(({ messages }) => countOf(JSON.stringify(messages)))).toEqual([0, 0, 0]);
    expect(requests.flatMap(({ messages }) => protocolFaults(messages))).toEqual([]);
  });

  it.each(["call_0", ""])("cannot see a loop of calls that the host drops for their id %j", async (id) => {
    let executed = 0;
    const tools = [anyTool("read_file", () => `nothing found, ${++executed}`)];
    const node = nodeOf(tools);
    const bare = Object.assign((input: object, config: object) => node.invoke(input, config), {
      orEnd: () => () => "agent",
    });
    const script = looping(4).map(({ calls = [] }) => ({ calls: calls.map((call) => ({ ...call, id })) }));
    await runWith(graphOf(tools, bare as never), script);

    expect(executed).toBe(1);
  });

  it("breaks a loop whose ids begin anew with each answer where the graph sends calls one by one", async () => {
    const tools = [nothing()];
    const script = looping().map(({ calls = [] }) => ({ calls: calls.map((call) => ({ ...call, id: "call_0" })) }));
    const { requests } = await runWith(graphOf(tools, guard(nodeOf(tools), QUICK), { sends: true }), script);

    expect(requests).toHaveLength(6);
  });

  it("blocks one call of an answer and lets the other run", async () => {
    const pages: unknown[] = [];
    const tools = [nothing(), anyTool("read_page", (args) => `page ${pages.push(args)}`)];
    const script = looping(4).map(({ calls = [] }, at) => ({
      calls: [...calls, { id: `page-${at}`, tool: "read_page", args: { page: at } }],
    }));
    const node = guard(nodeOf(tools), { rules: { read_file: { repeat: "never" } } });
    const { requests, messages } = await runWith(graphOf(tools, node), script);
    const answers = messages.filter(AIMessage.isInstance);

    expect(pages).toHaveLength(4);
    expect(messages.some((message) => (message as ToolMessage).status === "error")).toBe(true);
    expect(answers[3]?.tool_calls).toHaveLength(2);
    expect(requests.flatMap((request) => protocolFaults(request.messages))).toEqual([]);
  });

  it("takes a list of messages, and gives one back", async () => {
    const node = guard(nodeOf([nothing()]), QUICK);
    const texts: string[] = [];
    for (let at = 0; at < 5; at++) {
      const call = { id: `call-${at}`, name: "read_file", args: { path: "x" }, type: "tool_call" as const };
      const output = await node([new AIMessage({ content: "", tool_calls: [call] })], onThread("a"));
      texts.push(...(output as ToolMessage[]).map(({ text }) => text));
    }

    expect(texts.map((text) => countOf(text))).toEqual([0, 0, 1, 1, 1]);
    expect(texts[4]).toContain("Not run:");
  });

  it("gives back the very object of the host where there is nothing to say", async () => {
    const output = { messages: [new ToolMessage({ content: "nothing", tool_call_id: "a" })] };
    const node = guard({ tools: [], invoke: async (_input: object) => output });
    const answer = answerWith("read_file");

    expect(await node({ messages: [answer] }, onThread("a"))).toBe(output);
  });

  it("judges nothing where it is called by hand", async () => {
    const node = guard(nodeOf([nothing()]));
    const answer = answerWith("read_file");
    for (let at = 0; at < 9; at++) {
      expect(JSON.stringify(await node({ messages: [answer] }))).not.toContain(WORDS);
    }
    await expect(node("nonsense")).rejects.toThrow("ToolNode only accepts");
    await expect(node(undefined, onThread("a"))).rejects.toThrow("ToolNode only accepts");
  });

  it("fails with the very error of the tool where the node handles none", async () => {
    const thrown = new TypeError("it broke");
    const tools = [anyTool("read_file", () => Promise.reject(thrown))];
    const node = guard(nodeOf(tools, { handleToolErrors: false }));

    await expect(runWith(graphOf(tools, node), looping(1))).rejects.toBe(thrown);
  });

  it("sees results inside of commands, and speaks behind the next result that is a message", async () => {
    let laps = 0;
    const update = anyTool("read_file", (_args, config) => {
      const { toolCall } = config as { toolCall: { id: string } };
      return new Command({ update: { messages: [new ToolMessage({ content: "same", tool_call_id: toolCall.id })] } });
    });
    const tools = [update, anyTool("read_page", () => `page ${++laps}`)];
    const script = [...looping(3), { calls: [{ id: "page", tool: "read_page", args: { page: 1 } }] }];
    const { prompts } = await runWith(graphOf(tools, guard(nodeOf(tools))), script);

    expect(prompts[3]).not.toContain(WORDS);
    expect(prompts[4]).toContain(`page 1\\n\\n${WORDS}`);
  });

  it("observes a call once that waits for a human and is then run", async () => {
    const tools = [anyTool("read_file", () => `nothing, ${interrupt("may I?")}`)];
    const types: string[] = [];
    const own = createGuard();
    const observe = (event: AgentEvent) => {
      types.push(event.type);
      return own.observe(event);
    };
    const graph = graphOf(tools, guard(nodeOf(tools), { guard: { ...own, observe } }), { hasThreads: true });
    const script = looping(2);
    let asked = 0;
    let run = await runWith(graph, script, onThread("a"));
    while (run.__interrupt__ !== undefined) {
      run = await runWith(graph, script.slice(++asked), onThread("a"), new Command({ resume: "yes" }));
    }

    expect(asked).toBe(2);
    expect(types).toEqual(["user", "user", "round", "call", "result", "round", "call", "result"]);
  });

  it("sees a node that fails again and again, and speaks when it no longer does", async () => {
    let isBroken = true;
    const invoke = async ({ messages }: { messages: AIMessage[] }) => {
      if (isBroken) throw new Error("it broke");
      return { messages: [new ToolMessage({ content: "done", tool_call_id: messages[0]?.tool_calls?.[0]?.id ?? "" })] };
    };
    const node = guard({ tools: [], invoke });
    const ask = (name: string) => node({ messages: [answerWith(name)] }, onThread("a"));
    for (let lap = 0; lap < 3; lap++) await expect(ask("read_file")).rejects.toThrow("it broke");
    isBroken = false;

    expect(JSON.stringify(await ask("read_page"))).toContain(`done\\n\\n${WORDS}`);
  });

  it("judges a call with the id of one that was never run", async () => {
    const question = Object.assign(new Error("may I?"), { is_bubble_up: true });
    let isAsking = true;
    const invoke = async (_input: object) => {
      if (isAsking) throw question;
      return { messages: [new ToolMessage({ content: "nothing", tool_call_id: "a" })] };
    };
    const node = guard({ tools: [], invoke });
    const ask = () => node({ messages: [answerWith("read_file")] }, onThread("a"));
    await expect(ask()).rejects.toBe(question);
    isAsking = false;

    expect([await ask(), await ask(), await ask()].map((output) => countOf(JSON.stringify(output)))).toEqual([0, 0, 1]);
  });

  it("takes a thread's next turn for what it is, and goes on after an end", async () => {
    const tools = [nothing()];
    const graph = graphOf(tools, guard(nodeOf(tools), QUICK), { hasThreads: true });
    for (let turn = 0; turn < 5; turn++) {
      const { prompts } = await runWith(graph, looping(1, "read_file", turn), onThread("a"));
      expect(prompts.map((prompt) => countOf(prompt))).toEqual([0, 0]);
    }
    expect((await runWith(graph, looping(10, "read_file", 10), onThread("a"))).requests).toHaveLength(6);
    expect((await runWith(graph, looping(2, "read_file", 30), onThread("a"))).requests).toHaveLength(3);
  });

  it("keeps the input's other fields for the node", async () => {
    const inputs: object[] = [];
    const node = guard({
      tools: [],
      invoke: async (input: { messages: AIMessage[]; topic: string }) => {
        inputs.push(input);
        const [call] = input.messages.at(-1)?.tool_calls ?? [];
        return { messages: [new ToolMessage({ content: "x", tool_call_id: call?.id ?? "" })] };
      },
    });
    const human = new HumanMessage("go");
    for (let at = 0; at < 5; at++) {
      const calls = ["read_file", `tool_${at}`].map((name) => ({ id: `${name}-${at}`, name, args: {} }));
      await node(
        { messages: [human, new AIMessage({ content: "", tool_calls: calls })] as never, topic: "a" },
        onThread("a"),
      );
    }

    expect(inputs.map((input) => (input as { topic: string }).topic)).toEqual(Array(5).fill("a"));
  });
});

describe("guard, with a ToolNode at an end", () => {
  it.each([{ sends: false }, { sends: true }])(
    "marks the results of refused calls with the reason, with calls sent one by one: $sends",
    async (how) => {
      const tools = [nothing()];
      const node = guard(nodeOf(tools), QUICK);
      const result = await runWith(graphOf(tools, node, { ...how, hasThreads: true }), looping(), onThread("a"));

      expect(loopStop(result)).toMatchObject({
        status: "LOOP_DETECTED",
        run: "a",
        tool: "read_file",
        callId: "call-6",
      });
      expect(loopStop(result.messages.at(-1))).toBe(loopStop(result));
      expect(result.messages.slice(0, -1).map((message) => loopStop(message))).toEqual(Array(12).fill(undefined));
    },
  );

  it("marks the result at which the run was ended, and keeps what else it has", async () => {
    const tools = [
      anyTool("read_file", (_args, config) => {
        const { toolCall } = config as { toolCall: { id: string } };
        return new ToolMessage({ content: "none", tool_call_id: toolCall.id, response_metadata: { cached: true } });
      }),
    ];
    const node = guard(nodeOf(tools), { ladder: ["stop"] });
    const { messages, requests } = await runWith(graphOf(tools, node), looping());

    expect(requests).toHaveLength(3);
    expect(loopStop(messages)).toMatchObject({ callId: "call-3" });
    expect(messages.at(-1)).toMatchObject({ content: "none", response_metadata: { cached: true } });
  });

  it("keeps the mark in checkpoints, and is over once the user speaks", async () => {
    const tools = [nothing()];
    const graph = graphOf(tools, guard(nodeOf(tools)), { hasThreads: true });
    const ended = await runWith(graph, looping(), onThread("a"));
    const { values } = await (graph as unknown as CompiledStateGraph<object, object>).getState(onThread("a"));
    const next = await runWith(graph, looping(2, "read_file", 30), onThread("a"));

    expect(loopStop(values)).toEqual(loopStop(ended));
    expect(loopStop(next)).toBeUndefined();
  });

  it("is still to be read where the end leads to a node that reports", async () => {
    const tools = [nothing()];
    const { messages } = await runWith(graphOf(tools, guard(nodeOf(tools), QUICK), { reports: true }), looping());

    expect(messages.at(-1)?.text).toBe("I tried to look it up.");
    expect(loopStop(messages)).toMatchObject({ tool: "read_file" });
  });
});

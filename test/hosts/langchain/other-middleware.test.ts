import { type AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { type AgentEvent, createGuard } from "doomloop";
import { createMiddleware, modelRetryMiddleware, toolStrategy } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { protocolFaults } from "../../contracts/message-protocol.ts";
import { scripts } from "../shared/scripts.ts";
import { type Agent, agentOf, anyTool, countOf, looping, runWith, WORDS } from "./run-agent.ts";
import { visibleMessage } from "./scripted-model.ts";

const nothing = () => anyTool("read_file", () => "nothing found");
const visible = (messages: readonly BaseMessage[]): string => JSON.stringify(messages.map(visibleMessage));

/** A script that throws where it has an error. */
function failing(answers: readonly (ScriptedAnswer | Error)[]): ScriptedAnswer[] {
  const script: ScriptedAnswer[] = [];
  answers.forEach((answer, at) => {
    const get = (): ScriptedAnswer => {
      if (answer instanceof Error) throw answer;
      return answer;
    };
    Object.defineProperty(script, at, { get });
  });
  return script;
}

describe("guard, beside other middleware", () => {
  const retry = () => modelRetryMiddleware({ maxRetries: 2, initialDelayMs: 0, jitter: false });

  it.each([
    { place: "before it", isGuardLast: true },
    { place: "behind it", isGuardLast: false },
  ])("hears each result once where a failed request is made again by one $place", async ({ isGuardLast }) => {
    const events: string[] = [];
    const own = createGuard();
    const observe = (event: AgentEvent) => {
      events.push(event.type);
      return own.observe(event);
    };
    const [first, second, third] = looping(3);
    const script = failing([first!, second!, third!, new Error("busy"), new Error("busy")]);
    const agent = agentOf([nothing()], { guard: { ...own, observe } }, { middleware: [retry()], isGuardLast });
    const { prompts, messages } = await runWith(agent, script);

    expect(events.filter((type) => type === "result")).toHaveLength(3);
    expect(prompts.map((prompt) => countOf(prompt))).toEqual([0, 0, 0, 1, 1, 1]);
    expect(countOf(JSON.stringify(messages))).toBe(1);
  });

  it("keeps the updates of the state that another wrapper of the model makes", async () => {
    const budget = createMiddleware({
      name: "budget",
      stateSchema: z.object({ spent: z.number().default(0) }),
      wrapModelCall: async (request, handler) => {
        await handler(request);
        return new Command({ update: { spent: request.state.messages.length } });
      },
    });
    for (const isGuardLast of [false, true]) {
      const agent = agentOf([nothing()], QUICK, { middleware: [budget], isGuardLast });
      const result = await runWith(agent, looping(4));

      expect(result).toMatchObject({ spent: 9 });
      expect(countOf(result.prompts.at(-1))).toBe(2);
      expect(result.requests.flatMap((request) => protocolFaults(request.messages))).toEqual([]);
    }
  });

  it("asks hooks behind the model about blocked calls under a name of its own, and ends all the same", async () => {
    const seen: string[] = [];
    const after = createMiddleware({
      name: "after",
      afterModel: ({ messages }) => {
        seen.push(...((messages.at(-1) as AIMessage).tool_calls ?? []).map(({ name }) => name));
      },
    });
    const { requests, messages } = await runWith(agentOf([nothing()], QUICK, { middleware: [after] }), looping());

    expect(seen).toEqual([...Array(4).fill("read_file"), ...Array(2).fill("blocked_by_doomloop")]);
    expect(requests).toHaveLength(6);
    expect(JSON.stringify(messages)).not.toContain("blocked_by_doomloop");
  });

  it("leaves a request that another middleware shortened as short as it is", async () => {
    const shorten = createMiddleware({
      name: "shorten",
      wrapModelCall: (request, handler) => handler({ ...request, messages: request.messages.slice(-3) }),
    });
    const { requests } = await runWith(
      agentOf([nothing()], {}, { middleware: [shorten], isGuardLast: true }),
      looping(4),
    );

    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3, 3, 3, 3]);
    expect(JSON.stringify(requests[3])).toContain(WORDS);
  });
});

describe("guard, with structured responses", () => {
  const responseFormat = toolStrategy(z.object({ found: z.number() }));
  const [{ name }] = responseFormat as unknown as [{ name: string }];
  const answer = (id: string, found: unknown): ScriptedAnswer => ({ calls: [{ id, tool: name, args: { found } }] });

  it("leaves it to the host to ask again for one that does not fit", async () => {
    const script = [...looping(1), answer("a", "none"), answer("b", "none"), answer("c", 0)];
    const bare = await runWith(agentOf([nothing()], undefined, { responseFormat }), script);
    const guarded = await runWith(agentOf([nothing()], {}, { responseFormat }), script);

    expect(guarded).toMatchObject({ structuredResponse: { found: 0 } });
    expect(JSON.stringify(guarded.requests)).toBe(JSON.stringify(bare.requests));
    expect(visible(guarded.messages)).toBe(visible(bare.messages));
  });

  it("keeps words in the state that come with the last request", async () => {
    const agent = agentOf([nothing()], {}, { responseFormat });
    const result = await runWith(agent, [...looping(3), answer("end", 0)]);

    expect(result).toMatchObject({ structuredResponse: { found: 0 } });
    expect(
      result.messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => countOf(text)),
    ).toEqual([0, 0, 1, 0]);
  });

  it("ends a run without one", async () => {
    const result = await runWith(agentOf([nothing()], QUICK, { responseFormat }), looping());

    expect(result).not.toHaveProperty("structuredResponse");
    expect(result.requests).toHaveLength(6);
    expect(result.messages.at(-1)).toMatchObject({ type: "ai", tool_calls: [] });
  });
});

describe("guard, in streams of updates", () => {
  interface Streaming extends Agent {
    stream(input: object, config: object): Promise<AsyncIterable<Record<string, object>>>;
  }

  async function updatesOf(options: object | undefined, answers: readonly ScriptedAnswer[]) {
    const agent = agentOf([nothing()], options) as Streaming;
    const updates: Record<string, object>[] = [];
    await scripts.run({ answers, requests: [] }, async () => {
      const input = { messages: [new HumanMessage("go")] };
      for await (const update of await agent.stream(input, { streamMode: "updates" })) updates.push(update);
    });
    return updates;
  }

  it("is not to be seen in a healthy run", async () => {
    const withoutIds = (updates: object[]) => JSON.stringify(updates).replaceAll(/"id":"[\w-]{36}"/g, "");
    const [bare, guarded] = [await updatesOf(undefined, looping(2)), await updatesOf({}, looping(2))];

    expect(withoutIds(guarded)).toBe(withoutIds(bare));
  });

  it("lets a model whose tool does not exist read of no tool of ours", async () => {
    const [bare, guarded] = await Promise.all(
      [undefined, {}].map((options) => runWith(agentOf([nothing()], options), looping(1, "read_files"))),
    );

    expect(guarded!.prompts).toEqual(bare!.prompts);
    expect(visible(guarded!.messages)).toBe(visible(bare!.messages));
    expect(guarded!.requests.map(({ raw }) => raw)).toEqual(bare!.requests.map(({ raw }) => raw));
  });

  it("shows a result with words once more, and nothing else", async () => {
    const updates = await updatesOf({}, looping(3));

    expect(updates.map((update) => Object.keys(update))).toEqual([
      ...Array(3)
        .fill([["model_request"], ["tools"]])
        .flat(),
      ["model_request"],
    ]);
    expect(countOf(JSON.stringify(updates))).toBe(1);
    expect(JSON.stringify(updates).match(/nothing found/g)).toHaveLength(4);
  });
});

describe("guard, in streams of messages", () => {
  interface Streaming {
    stream(input: object, config: object): Promise<AsyncIterable<[BaseMessage]>>;
  }

  async function resultsOf(options: object, answers: readonly ScriptedAnswer[]) {
    const agent = agentOf([nothing(), anyTool("read_page", () => "page 1")], options) as unknown as Streaming;
    const results: ToolMessage[] = [];
    await scripts.run({ answers, requests: [] }, async () => {
      const input = { messages: [new HumanMessage("go")] };
      for await (const [message] of await agent.stream(input, { streamMode: "messages", recursionLimit: 100 }))
        if (ToolMessage.isInstance(message)) results.push(message);
    });
    return results;
  }

  it("shows why a call was not run, under the name that the model called", async () => {
    const results = await resultsOf(QUICK, looping());

    expect(results.map(({ name }) => name)).toEqual(Array(6).fill("read_file"));
    expect(results.map(({ status }) => status)).toEqual([...Array(4).fill("success"), "error", "error"]);
    expect(results[4]?.text).toMatch(/^\[doomloop\] Not run: /);
    expect(results[5]?.text).toMatch(/^\[doomloop\] This run is stopped: /);
  });

  it("shows the result of a call beside a blocked one as it is", async () => {
    const script = looping(5).map(({ calls }, at) => ({
      calls: [...calls!, ...(at === 4 ? [{ id: "page-1", tool: "read_page", args: {} }] : [])],
    }));
    const results = await resultsOf(QUICK, script);

    expect(results.slice(4).map(({ name, text }) => `${name} ${text.slice(0, 19)}`)).toEqual([
      "read_file [doomloop] Not run:",
      "read_page page 1",
    ]);
  });
});

describe("guard, at results that are JSON", () => {
  it("keeps them in the state as they are, and lets the model read the words for as long as it reads the result", async () => {
    const agent = agentOf([anyTool("read_file", () => '{"orders":[]}')], QUICK);
    const { messages, prompts } = await runWith(agent, looping(4));

    expect(messages.filter(({ type }) => type === "tool").map(({ content }) => content)).toEqual(
      Array(4).fill('{"orders":[]}'),
    );
    expect(prompts.map((prompt) => countOf(prompt))).toEqual([0, 0, 0, 1, 2]);
  });
});

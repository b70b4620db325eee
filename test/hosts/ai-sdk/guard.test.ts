import { dynamicTool, isStepCount, ToolLoopAgent } from "ai";
import { type AgentEvent, createGuard, type Decision } from "doomloop";
import { guard, isBlockedCall, type LoopStop, loopStop } from "doomloop/ai-sdk";
import { assertGuarded, type RepeatingRun } from "doomloop/testing";
import { describe, expect, it } from "vitest";
import type { StepsLike } from "../../../packages/doomloop/src/adapters/ai-sdk/loop-stop.ts";
import type { HostDowngrade } from "../../../packages/doomloop/src/host/host-options.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type AiPackage, packages } from "./ai-packages.ts";

const WORDS = "[doomloop]";

/** A model that calls `read_file` with the same arguments until it has been asked so often, and notes what it was asked. */
function loopingModel(ai: AiPackage, calls = 10, name = "read_file", input = '{"path":"x"}') {
  const prompts: string[] = [];
  const model = ai.model(({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    if (prompts.length > calls) return { content: [{ type: "text", text: "The end." }], hasCalls: false };
    return {
      content: [{ type: "tool-call", toolCallId: `call-${prompts.length}`, toolName: name, input }],
      hasCalls: true,
    };
  });
  return { model, prompts };
}

/** The scripted model of `doomloop/testing` in the words of the framework. */
function modelOf(ai: AiPackage, run: RepeatingRun): object {
  return ai.model(({ prompt }) => {
    const call = run.next(prompt);
    if (call === undefined) return { content: [{ type: "text", text: "The end." }], hasCalls: false };
    const { id: toolCallId, tool: toolName, args } = call;
    return { content: [{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(args) }], hasCalls: true };
  });
}

/** The messages that a run added; the newest major has moved them. */
function answersOf(result: object): readonly unknown[] {
  const { responseMessages, response } = result as {
    responseMessages?: unknown[];
    response: { messages: unknown[] };
  };
  return responseMessages ?? response.messages;
}

const inputSchemaOf = (ai: AiPackage) =>
  ai.jsonSchema({ type: "object", properties: { path: { type: "string" } }, required: ["path"] });

/** Runs the looping model with one tool, guarded. */
async function runLoop(ai: AiPackage, tool: object, more: { calls?: number; settings?: object } = {}) {
  const { model, prompts } = loopingModel(ai, more.calls);
  const tools = { read_file: { description: "reads a file", inputSchema: inputSchemaOf(ai), ...tool } };
  const settings = guard({ tools, stopWhen: ai.stepCountIs(20) }, QUICK);
  const result = await ai.generateText({ model, prompt: "go", ...more.settings, ...settings });
  return {
    prompts,
    steps: (result as { steps: { content: { type: string; output?: unknown; error?: unknown }[] }[] }).steps,
  };
}

describe.each(packages)("guard, in ai $major", (ai) => {
  it("puts words behind an object without changing the object that the host reads", async () => {
    const { prompts, steps } = await runLoop(ai, { execute: () => ({ found: 0 }) });

    expect(prompts[2]).not.toContain(WORDS);
    expect(prompts[3]).toContain(JSON.stringify(`{"found":0}\n\n${WORDS}`).slice(1, -1));
    expect(steps[2]?.content.find(({ type }) => type === "tool-result")?.output).toEqual({ found: 0 });
  });

  it("takes no two instances for equal that the tool's own toModelOutput shows in other words", async () => {
    let pages = 0;
    const shown = new WeakMap<object, string>();
    const execute = (): object => {
      const page = new (class Page {})();
      shown.set(page, `page ${++pages}`);
      return page;
    };
    const read = (argument: object) => shown.get(argument) ?? shown.get((argument as { output: object }).output);
    const toModelOutput = (argument: object) => ({ type: "text", value: read(argument) });
    const { prompts } = await runLoop(ai, { execute, toModelOutput });

    expect(prompts.at(-1)).toContain("page 10");
    expect(prompts.at(-1)).not.toContain(WORDS);
  });

  it("does not repeat words behind an object that a tool gives again", async () => {
    let results = 0;
    const observe = ({ type }: AgentEvent): Decision => {
      if (type === "result") results++;
      return type === "result" && results === 2 ? { action: "nudge", message: WORDS } : { action: "continue" };
    };
    const { model, prompts } = loopingModel(ai, 5);
    const found = { found: 0 };
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => found } };
    const own = { ...createGuard(), observe };
    await ai.generateText({ model, prompt: "go", ...guard({ tools, stopWhen: ai.stepCountIs(9) }, { guard: own }) });

    expect(prompts.map((prompt) => prompt.split(WORDS).length - 1)).toEqual([0, 0, 1, 1, 1, 1]);
  });

  it("puts words behind what a tool itself shows to the model", async () => {
    const shown = { type: "content", value: [{ type: "text", text: "nothing" }] };
    const { prompts } = await runLoop(ai, { execute: () => ({ found: 0 }), toModelOutput: () => shown });

    expect(prompts[2]).not.toContain(WORDS);
    expect(prompts[3]).toContain(`{"type":"text","text":"nothing"},{"type":"text","text":"${WORDS}`);
    expect(shown.value).toHaveLength(1);
  });

  it("asks a tool what to show as the host would have asked", async () => {
    const asked: unknown[] = [];
    const toModelOutput = (argument: unknown) => {
      asked.push(argument);
      return { type: "text", value: "shown" };
    };
    const { prompts } = await runLoop(ai, { execute: () => ({ found: 0 }), toModelOutput }, { calls: 4 });

    const output = { found: 0 };
    expect(asked.at(-1)).toEqual({ toolCallId: "call-4", input: { path: "x" }, output });
    expect(prompts[3]).toContain(`shown\\n\\n${WORDS}`);
  });

  it("lets a tool give its result piece by piece", async () => {
    const pieces = async function* () {
      yield "searching";
      yield "nothing found";
    };
    const { prompts, steps } = await runLoop(ai, { execute: pieces });

    expect(prompts[1]).toContain('"nothing found"');
    expect(prompts[3]).toContain(`nothing found\\n\\n${WORDS}`);
    expect(steps[0]?.content.filter(({ type }) => type === "tool-result").map(({ output }) => output)).toEqual([
      "nothing found",
    ]);
    expect(prompts).toHaveLength(6);
  });

  it("waits for a tool whose promise can be waited for only once, as query builders make them", async () => {
    // biome-ignore lint/suspicious/noThenProperty: what is waited for need not be a promise.
    const rows = { then: (take: (value: unknown) => void) => take("two rows") };
    const { prompts } = await runLoop(ai, { execute: () => rows });

    expect(prompts[1]).toContain('"two rows"');
    expect(prompts[3]).toContain(`two rows\\n\\n${WORDS}`);
  });

  it("fails with the very error of the tool, and with one that inherits from it where words go along", async () => {
    class DiskError extends Error {
      readonly disk = "a";
    }
    const thrown = new DiskError("the disk is full");
    const { steps, prompts } = await runLoop(ai, { execute: () => Promise.reject(thrown) });
    const errors = steps.map(({ content }) => content.find(({ type }) => type === "tool-error")?.error);

    expect(errors[0]).toBe(thrown);
    expect(errors[1]).toBe(thrown);
    expect(errors[2]).toBeInstanceOf(DiskError);
    expect(errors[2]).toMatchObject({ disk: "a", stack: thrown.stack });
    expect(thrown.message).toBe("the disk is full");
    expect(prompts[3]).toContain(`the disk is full\\n\\n${WORDS}`);
  });

  it("marks a blocked call, so that the host can tell it from a failed one", async () => {
    const { steps } = await runLoop(ai, { execute: () => "nothing" });
    const errors = steps.map(({ content }) => content.find(({ type }) => type === "tool-error")?.error);

    expect(errors.map(isBlockedCall)).toEqual([false, false, false, false, true, true]);
  });

  it("adds no stop condition where none was given, so that the host's own limit holds", async () => {
    const { model, prompts } = loopingModel(ai);
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const settings = guard({ tools });
    await ai.generateText({ model, prompt: "go", ...settings });

    expect("stopWhen" in settings).toBe(false);
    expect(prompts).toHaveLength(1);
  });

  it("keeps the caller's conditions, one or many", async () => {
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const one = loopingModel(ai);
    await ai.generateText({ model: one.model, prompt: "go", ...guard({ tools, stopWhen: ai.stepCountIs(2) }) });
    const many = loopingModel(ai);
    const conditions = [ai.stepCountIs(9), async () => many.prompts.length === 3];
    await ai.generateText({ model: many.model, prompt: "go", ...guard({ tools, stopWhen: conditions }) });

    expect(one.prompts).toHaveLength(2);
    expect(many.prompts).toHaveLength(3);
    expect(conditions).toHaveLength(2);
  });

  it("leaves a tool alone that the client runs", async () => {
    const tool = { description: "asks", inputSchema: inputSchemaOf(ai) };
    const { tools } = guard({ tools: { ask: tool }, stopWhen: ai.stepCountIs(5) });

    expect(tools.ask).toBe(tool);
  });

  it("hands on what the host passes, the signal to abort included, and calls the tool as its method", async () => {
    const { signal } = new AbortController();
    const seen: unknown[] = [];
    const tool = {
      secret: "a",
      execute(this: { secret: string }, _input: unknown, options: { abortSignal: AbortSignal }) {
        seen.push(this.secret, options.abortSignal.aborted);
        return "nothing";
      },
    };
    await runLoop(ai, tool, { calls: 1, settings: { abortSignal: signal } });

    expect(seen).toEqual(["a", false]);
  });

  it("judges nothing where a tool is called by hand", async () => {
    const tools = { read_file: { execute: () => "nothing" } };
    const settings = guard({ tools, stopWhen: ai.stepCountIs(5) }, { onFault: fail });
    const call = settings.tools.read_file.execute as (...words: unknown[]) => unknown;

    expect(Array.from({ length: 9 }, () => call({ path: "x" }))).toEqual(Array(9).fill("nothing"));
    expect(Array.from({ length: 9 }, () => call({ path: "x" }, {}))).toEqual(Array(9).fill("nothing"));
  });

  it("knows a run again whose messages were copied on the way", async () => {
    const { model, prompts } = loopingModel(ai);
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const prepareStep = ({ messages }: { messages: unknown }) => ({ messages: structuredClone(messages) });
    await ai.generateText({
      model,
      prompt: "go",
      prepareStep,
      ...guard({ tools, stopWhen: ai.stepCountIs(20) }, QUICK),
    });

    expect(prompts).toHaveLength(6);
  });

  it("takes a conversation's next turn for what it is: one call each turn is no loop", async () => {
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const settings = guard({ tools, stopWhen: ai.stepCountIs(20) });
    const messages: unknown[] = [];
    const seen: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const { model, prompts } = loopingModel(ai, 1);
      messages.push({ role: "user", content: "What is new?" });
      messages.push(...answersOf(await ai.generateText({ model, messages, ...settings })));
      seen.push(...prompts);
    }

    expect(seen).toHaveLength(12);
    expect(seen.filter((prompt) => prompt.includes(WORDS))).toEqual([]);
  });

  it("lets a conversation go on that was ended, when the user speaks", async () => {
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const settings = guard({ tools, stopWhen: ai.stepCountIs(20) }, QUICK);
    const first = (await ai.generateText({ model: loopingModel(ai).model, prompt: "go", ...settings })) as StepsLike;
    const { model, prompts } = loopingModel(ai, 2);
    const messages = [{ role: "user", content: "go" }, ...answersOf(first), { role: "user", content: "go on" }];
    const second = (await ai.generateText({ model, messages, ...settings })) as StepsLike;

    expect([loopStop(first)?.status, loopStop(second)]).toEqual(["LOOP_DETECTED", undefined]);
    expect(prompts).toHaveLength(3);
  });

  it("sees a loop beside a reminder that the host adds to every step", async () => {
    const { model, prompts } = loopingModel(ai);
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const reminder = { role: "user", content: "Remember the task." };
    const prepareStep = ({ messages }: { messages: unknown[] }) => ({ messages: [...messages, reminder] });
    await ai.generateText({
      model,
      prompt: "go",
      prepareStep,
      ...guard({ tools, stopWhen: ai.stepCountIs(20) }, QUICK),
    });

    expect(prompts).toHaveLength(6);
  });

  it("wraps a frozen tool, and one of a class", async () => {
    class Lookup {
      readonly inputSchema = inputSchemaOf(ai);
      execute(): string {
        return this.found();
      }
      found(): string {
        return "nothing";
      }
    }
    for (const read_file of [
      Object.freeze({ inputSchema: inputSchemaOf(ai), execute: () => "nothing" }),
      new Lookup(),
    ]) {
      const { model, prompts } = loopingModel(ai);
      await ai.generateText({
        model,
        prompt: "go",
        ...guard({ tools: { read_file }, stopWhen: ai.stepCountIs(20) }, QUICK),
      });

      expect(prompts).toHaveLength(6);
      expect(prompts[1]).toContain("nothing");
    }
  });

  it("wraps a tool whose class has private fields, also behind getters and in other methods", async () => {
    class Lookup {
      readonly #found = "nothing";
      readonly #schema = inputSchemaOf(ai);
      get inputSchema() {
        return this.#schema;
      }
      get description(): string {
        return `finds ${this.#found}`;
      }
      execute(): object {
        return { found: this.#found };
      }
      toModelOutput(): object {
        return { type: "text", value: `found ${this.#found}` };
      }
    }
    const { model, prompts } = loopingModel(ai);
    const tools = { read_file: new Lookup() };
    const settings = guard({ tools, stopWhen: ai.stepCountIs(20) }, QUICK);
    await ai.generateText({ model, prompt: "go", ...settings });

    expect(settings.tools.read_file).toBeInstanceOf(Lookup);
    expect(settings.tools.read_file.description).toBe("finds nothing");
    expect(prompts).toHaveLength(6);
    expect(prompts[1]).toContain('"found nothing"');
    expect(prompts[3]).toContain(`found nothing\\n\\n${WORDS}`);
  });

  it("ends a run whose calls the host refuses for their arguments", async () => {
    const { model, prompts } = loopingModel(ai, 15, "read_file", '{"path":');
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const stops: LoopStop[] = [];
    const settings = guard(
      { tools, stopWhen: ai.stepCountIs(20) },
      { ...QUICK, onStop: (stop) => void stops.push(stop) },
    );
    await ai.generateText({ model, prompt: "go", ...settings });

    expect(stops).toHaveLength(1);
    expect(prompts.length).toBeLessThan(10);
  });

  it("is what a user's test can be made of that fails if the guard is not wired", async () => {
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    const bare = { tools, stopWhen: ai.stepCountIs(30) };
    const drive = (settings: object) => (run: RepeatingRun) =>
      ai.generateText({ model: modelOf(ai, run), prompt: "go", ...settings });

    await assertGuarded(drive(guard(bare, QUICK)), { tool: "read_file", args: { path: "x" }, atLeast: "stop" });
    await expect(assertGuarded(drive(bare))).rejects.toThrow("the guard is not wired");
  });

  it("uses a guard that is passed in for whatever happens", async () => {
    const { model } = loopingModel(ai, 2);
    const types: string[] = [];
    const own = createGuard();
    const listening = {
      ...own,
      observe(event: AgentEvent) {
        types.push(event.type);
        return own.observe(event);
      },
    };
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    await ai.generateText({
      model,
      prompt: "go",
      ...guard({ tools, stopWhen: ai.stepCountIs(9) }, { guard: listening }),
    });

    expect(types).toEqual(["user", "round", "call", "result", "round", "call", "result"]);
  });
});

describe.each(packages)("guard, in an agent of ai $major", (ai) => {
  const { Agent } = ai;

  it("gives each run of one agent a guard of its own, one after the other and at the same time", async () => {
    const { model, prompts } = loopingModel(ai, Number.POSITIVE_INFINITY);
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: async () => "nothing" } };
    const agent = new Agent({ model, ...guard({ tools, stopWhen: ai.stepCountIs(2) }) });
    for (let turn = 0; turn < 4; turn++) await agent.generate({ prompt: "go" });
    await Promise.all(Array.from({ length: 4 }, () => agent.generate({ prompt: "go" })));

    expect(prompts).toHaveLength(16);
    expect(prompts.filter((prompt) => prompt.includes(WORDS))).toEqual([]);
  });

  it("ends a run of an agent", async () => {
    const { model, prompts } = loopingModel(ai);
    const tools = { read_file: { inputSchema: inputSchemaOf(ai), execute: () => "nothing" } };
    await new Agent({ model, ...guard({ tools, stopWhen: ai.stepCountIs(20) }, QUICK) }).generate({ prompt: "go" });

    expect(prompts).toHaveLength(6);
  });
});

describe("guard, in ToolLoopAgent of ai 7", () => {
  it("says that it blocks instead where it was given no stop condition", async () => {
    const [ai] = packages as [AiPackage];
    const { model, prompts } = loopingModel(ai, 12);
    const downgrades: HostDowngrade[] = [];
    const tools = {
      read_file: dynamicTool({ inputSchema: inputSchemaOf(ai) as never, execute: async () => "nothing" }),
    };
    const settings = guard({ tools }, { ...QUICK, onDowngrade: (downgrade) => void downgrades.push(downgrade) });
    const result = await new ToolLoopAgent({ model: model as never, ...settings }).generate({ prompt: "go" });

    expect(downgrades.map(({ decided, done }) => `${decided} ${done}`)).toEqual(["stop block"]);
    expect(prompts).toHaveLength(13);
    expect(loopStop(result)).toBeUndefined();
  });

  it("keeps the default limit and the caller's prepareCall where it was given no stop condition", async () => {
    const [ai] = packages as [AiPackage];
    const { model, prompts } = loopingModel(ai, 30);
    const tools = {
      read_file: dynamicTool({ inputSchema: inputSchemaOf(ai) as never, execute: async () => "nothing" }),
    };
    await new ToolLoopAgent({ model: model as never, ...guard({ tools }) }).generate({ prompt: "go" });
    const byDefault = prompts.length;
    const prepareCall = (options: object) => ({ ...options, instructions: "Be brief.", stopWhen: isStepCount(3) });
    const settings = guard({ model: model as never, tools, prepareCall });
    await new ToolLoopAgent(settings as never).generate({ prompt: "go" });

    expect(byDefault).toBe(20);
    expect(prompts.slice(byDefault)).toEqual(Array(3).fill(expect.stringContaining("Be brief.")));
  });
});

function fail(fault: unknown): never {
  throw fault;
}

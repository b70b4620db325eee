import { setImmediate } from "node:timers/promises";
import { guard, type LoopStop } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import { createMeeting } from "../../contracts/adapter-meeting.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type AiPackage, packages } from "./ai-packages.ts";

const WORDS = "[doomloop]";

/** What a model reads, one call an answer, then the end. Ids are those of a server that counts within a conversation. */
function reading(ai: AiPackage, inputs: readonly unknown[], from = 0) {
  const prompts: string[] = [];
  const model = ai.model(({ prompt }) => {
    prompts.push(JSON.stringify(prompt));
    const at = prompts.length - 1;
    if (at >= inputs.length) return { content: [{ type: "text", text: "The end." }], hasCalls: false };
    const toolCallId = `functions.read_file:${from + at}`;
    const call = { type: "tool-call", toolCallId, toolName: "read_file", input: JSON.stringify(inputs[at]) };
    return { content: [call], hasCalls: true };
  });
  return { model, prompts };
}

const same = (length: number): object[] => Array.from({ length }, () => ({ path: "x" }));
const different = (length: number): object[] => Array.from({ length }, (_, at) => ({ path: `y${at}` }));

function settingsOf(ai: AiPackage, steps = 20) {
  const execute = async (input: unknown): Promise<string> => {
    await setImmediate();
    return (input as { path?: string }).path === "x" ? "A short page." : `A page about ${JSON.stringify(input)}.`;
  };
  const tools = { read_file: { inputSchema: ai.jsonSchema({}), execute } };
  return { tools, stopWhen: ai.stepCountIs(steps) };
}

/** A history with so many equal calls, as a database gives it back. */
function restored(task: string, calls: number, ...end: object[]): object[] {
  const rounds = Array.from({ length: calls }, (_, at) => {
    const named = { toolCallId: `functions.read_file:${at}`, toolName: "read_file" };
    return [
      { role: "assistant", content: [{ type: "tool-call", ...named, input: { path: "x" } }] },
      { role: "tool", content: [{ type: "tool-result", ...named, output: { type: "text", value: "A short page." } }] },
    ];
  });
  return JSON.parse(JSON.stringify([{ role: "user", content: task }, ...rounds.flat(), ...end]));
}

/** The messages that a run added; the newest major has moved them. */
function answersOf(result: object): object[] {
  const { responseMessages, response } = result as { responseMessages?: object[]; response: { messages: object[] } };
  return responseMessages ?? response.messages;
}

describe.each(packages)("guard, where ids do not tell runs apart, in ai $major", (ai) => {
  const run = async (inputs: readonly unknown[], messages: object[], settings: object, from = 0) => {
    const { model, prompts } = reading(ai, inputs, from);
    const result = (await ai.generateText({ model, messages, ...settings })) as { steps: { content: unknown }[] };
    return { prompts, contents: JSON.stringify(result.steps.map(({ content }) => content)), result };
  };
  const plain = ({ prompts, contents }: { prompts: string[]; contents: string }) => ({ prompts, contents });

  it("leaves an innocent run alone whose history equals that of one that loops at the same time", async () => {
    const stops: LoopStop[] = [];
    const settings = guard(settingsOf(ai), { ...QUICK, onStop: (stop) => void stops.push(stop) });
    const history = () => restored("hi", 1, { role: "assistant", content: "nothing" }, { role: "user", content: "on" });
    await run(same(1), [{ role: "user", content: "hi" }], settings);
    const [innocent, loop, other] = await Promise.all([
      run(different(10), history(), settings, 1),
      run(same(12), history(), settings, 1),
      run(same(12), history(), settings, 1),
    ]);

    expect(plain(innocent)).toEqual(plain(await run(different(10), history(), settingsOf(ai), 1)));
    expect([loop, other].map(({ prompts }) => prompts.length)).toEqual([6, 6]);
    expect(stops).toHaveLength(2);
  });

  it("leaves an innocent run alone that uses the ids of one that looped before it", async () => {
    const settings = guard(settingsOf(ai, 4), QUICK);
    const looped = await run(same(12), [{ role: "user", content: "hi" }], settings);
    const history = restored("another task", 3);
    const innocent = await run(same(1), history, settings, 3);

    expect(looped.prompts.at(-1)).toContain(WORDS);
    expect(plain(innocent)).toEqual(plain(await run(same(1), history, settingsOf(ai), 3)));
  });

  it("leaves innocent runs alone that share the very messages of one that loops", async () => {
    const settings = guard(settingsOf(ai), QUICK);
    const shared = restored("hi", 1);
    const [innocent, loop] = await Promise.all([
      run(different(10), shared, settings, 1),
      run(same(12), shared, settings, 1),
    ]);

    expect(plain(innocent)).toEqual(plain(await run(different(10), shared, settingsOf(ai), 1)));
    expect(loop.prompts).toHaveLength(6);
  });

  it("leaves runs alone whose calls have no object as input, and breaks the one that loops", async () => {
    const settings = guard(settingsOf(ai), QUICK);
    const task = [{ role: "user", content: "hi" }];
    const texts = Array.from({ length: 10 }, (_, at) => `page ${at}`);
    const alone = await run(texts, task, settingsOf(ai));
    const [innocent, loop] = await Promise.all([run(texts, task, settings), run(Array(12).fill("x"), task, settings)]);

    expect(plain(innocent)).toEqual(plain(alone));
    expect(loop.prompts).toHaveLength(6);
  });

  it.each([
    { title: "as it is", copy: (messages: object[]) => messages },
    { title: "as JSON", copy: (messages: object[]) => JSON.parse(JSON.stringify(messages)) as object[] },
  ])("goes on with the guard of a conversation whose history comes back $title", async ({ copy }) => {
    const settings = guard(settingsOf(ai, 2), QUICK);
    const task = { role: "user", content: "hi" };
    const { result } = await run(same(9), [task], settings);
    const history = copy([task, ...answersOf(result)]);
    const onward = await run(same(9), history, settings, 2);
    const fork = await run(same(9), copy(history), settings, 2);

    expect(onward.prompts.map((prompt) => prompt.includes(WORDS))).toEqual([false, true]);
    // Another has gone on from here: this one begins anew.
    expect(fork.prompts.map((prompt) => prompt.includes(WORDS))).toEqual([false, false]);
  });

  it("says nothing to a run whose tool gives it the very object that it gives to one that loops", async () => {
    const { tools, stopWhen } = settingsOf(ai);
    const found = { found: 0 };
    const meet = createMeeting(2, 1);
    let looked = 0;
    const execute = async ({ path }: { path: string }) => {
      if (path !== "x" || ++looked === 3) await meet();
      return found;
    };
    const settings = guard({ tools: { read_file: { ...tools.read_file, execute } }, stopWhen });
    const task = [{ role: "user", content: "hi" }];
    const [innocent] = await Promise.all([run(different(1), task, settings), run(same(4), task, settings)]);

    expect(innocent.prompts).toHaveLength(2);
    expect(innocent.prompts[1]).not.toContain(WORDS);
  });

  it("begins anew where two conversations could be meant", async () => {
    const settings = guard(settingsOf(ai, 2));
    const task = { role: "user", content: "hi" };
    const [{ result }] = await Promise.all([run(same(9), [task], settings), run(same(9), [{ ...task }], settings)]);
    const history = JSON.parse(JSON.stringify([task, ...answersOf(result)]));
    const onward = await run(same(9), history, settings, 2);

    expect(onward.prompts.filter((prompt) => prompt.includes(WORDS))).toEqual([]);
  });

  it("sees a loop of approved calls whose history comes back as JSON each time", async () => {
    const { tools, stopWhen } = settingsOf(ai);
    const settings = guard({ tools: { read_file: { ...tools.read_file, needsApproval: true } }, stopWhen }, QUICK);
    const { model, prompts } = reading(ai, same(12));
    let messages: object[] = [{ role: "user", content: "hi" }];
    for (let asked = 0; asked < 5; asked++) {
      const answers = answersOf(await ai.generateText({ model, messages, ...settings }));
      const requests = answers.flatMap(({ content }: { content?: unknown }) => content as { approvalId?: string }[]);
      const approvalId = requests.findLast((part) => part.approvalId !== undefined)?.approvalId;
      const response = { type: "tool-approval-response", approvalId, approved: true };
      messages = JSON.parse(JSON.stringify([...messages, ...answers, { role: "tool", content: [response] }]));
    }

    expect(prompts.slice(0, 5).map((prompt) => prompt.includes(WORDS))).toEqual([false, false, false, true, true]);
  });
});

describe.each(packages)("tools that are no longer guarded, in ai $major", (ai) => {
  const faultsWith = async (wire: (settings: ReturnType<typeof settingsOf>, options: object) => object) => {
    const faults: string[] = [];
    const settings = wire(settingsOf(ai), { onFault: (fault: unknown) => void faults.push(`${fault}`) });
    const { model } = reading(ai, different(4));
    await ai.generateText({ model, prompt: "go", ...settings });
    return faults;
  };

  it("are told, once, where others took their place or they were never passed", async () => {
    const told = [expect.stringContaining("pass all tools to guard, and add none afterwards")];

    expect(await faultsWith((settings, options) => ({ ...guard(settings, options), tools: settings.tools }))).toEqual(
      told,
    );
    expect(await faultsWith(({ tools, stopWhen }, options) => ({ ...guard({ stopWhen }, options), tools }))).toEqual(
      told,
    );
    expect(await faultsWith((settings, options) => guard(settings, options))).toEqual([]);
  });
});

import { guard, type LoopStop, loopStop } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import type { StepsLike, StreamedStepsLike } from "../../../packages/doomloop/src/adapters/ai-sdk/loop-stop.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { packages } from "./ai-packages.ts";
import { looping, readFile, scripted } from "./scripted.ts";

const AT_THE_RESULT = { ladder: ["stop"] } as const;

interface WithMessages extends StepsLike {
  readonly response: { readonly messages: readonly object[] };
  readonly responseMessages?: readonly object[];
}

/** What a run has added to the conversation: majors name it differently. */
function messagesOf({ responseMessages, response }: WithMessages): readonly object[] {
  return responseMessages ?? response.messages;
}

function counted(ai: (typeof packages)[number]) {
  let runs = 0;
  const execute = (): string => {
    runs++;
    return "nothing found";
  };
  return { read_file: readFile(ai, { execute }).read_file, ran: () => runs };
}

describe.each(packages)("loopStop, in ai $major", (ai) => {
  const settingsOf = (options: object = {}, tool: object = {}) =>
    guard(
      { tools: { read_file: readFile(ai, tool).read_file }, stopWhen: ai.stepCountIs(20) },
      { ...QUICK, ...options },
    );
  const generate = (settings: object, script = looping()) =>
    ai.generateText({ model: scripted(ai, script).model, prompt: "go", ...settings }) as Promise<StepsLike>;

  it("tells of each run of shared settings by itself, whenever it is asked", async () => {
    const settings = settingsOf();
    const results = await Promise.all([
      generate(settings),
      generate(settings, looping(2)),
      generate(settings),
      generate(settings, [{ text: "No." }]),
    ]);
    const stops = results.map((result) => loopStop(result));

    expect(stops.map((stop) => stop?.callId)).toEqual(["call-6", undefined, "call-6", undefined]);
    expect(stops[0]).not.toBe(stops[2]);
    expect(loopStop(results[0]!)).toBe(stops[0]);
  });

  it("holds where the conversation goes on without a word of the user's, and is taken back by one", async () => {
    const { read_file, ran } = counted(ai);
    const settings = guard({ tools: { read_file }, stopWhen: ai.stepCountIs(20) }, QUICK);
    const go = (messages: readonly object[]) =>
      ai.generateText({ model: scripted(ai, looping()).model, messages, ...settings }) as Promise<WithMessages>;
    const user = { role: "user", content: "go" };
    const first = await go([user]);
    const history = [user, ...messagesOf(first)];
    const before = ran();
    const second = await go(history);

    expect(loopStop(first)).toBeDefined();
    expect(ran()).toBe(before);
    expect(loopStop(second)).toBeDefined();
    await go([...history, { role: "user", content: "Look once more." }]);
    expect(ran()).toBeGreaterThan(before);
  });

  it("tells of an agent's run", async () => {
    const { model } = scripted(ai, looping());
    const result = (await new ai.Agent({ model, ...settingsOf() }).generate({ prompt: "go" })) as StepsLike;

    expect(loopStop(result)).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file" });
  });

  it("tells of a stream at its end, and in the callbacks of a run", async () => {
    const told: (LoopStop | undefined)[] = [];
    const onFinish = (event: StepsLike): void => void told.push(loopStop(event));
    const { model } = scripted(ai, looping());
    const stream = ai.streamText({ model, prompt: "go", onFinish, ...settingsOf() }) as unknown as StreamedStepsLike;
    const stop = await loopStop(stream);

    expect(stop).toMatchObject({ status: "LOOP_DETECTED", callId: "call-6" });
    expect(told).toEqual([stop]);
    expect(loopStop({ steps: await stream.steps })).toBe(stop);
  });

  it("gives undefined for a stream that fails, and is not rejected", async () => {
    const model = ai.model(() => {
      throw new Error("refused");
    });
    const stream = ai.streamText({ model, prompt: "go", maxRetries: 0, onError: () => {}, ...settingsOf() });

    expect(await loopStop(stream as unknown as StreamedStepsLike)).toBeUndefined();
  });

  it.each([
    { title: "a result", tool: {} },
    { title: "a result that is an object", tool: { execute: () => ({ found: 0 }) } },
    { title: "a failure", tool: { execute: () => Promise.reject(new Error("the disk is full")) } },
  ])("tells of an end that was decided at $title", async ({ tool }) => {
    const result = await generate(settingsOf(AT_THE_RESULT, tool));

    expect(result.steps).toHaveLength(3);
    expect(loopStop(result)).toMatchObject({ status: "LOOP_DETECTED", callId: "call-3" });
  });

  it("tells of an end that was decided for calls that the host refused", async () => {
    const script = looping(15).map(({ calls }) => ({ calls: calls!.map((call) => ({ ...call, tool: "read_files" })) }));
    const result = await generate(settingsOf(), script);

    expect(result.steps.length).toBeLessThan(10);
    expect(loopStop(result)?.status).toBe("LOOP_DETECTED");
  });

  it.each([
    { title: "at a call", options: {}, at: 5 },
    { title: "at a result", options: AT_THE_RESULT, at: 2 },
  ])("tells of an end $title whose step ends the run by itself, with a call that the client runs", async (end) => {
    const ask = { id: "ask-1", tool: "ask", args: {} };
    const script = looping().map(({ calls }, at) => ({ calls: at === end.at ? [...calls!, ask] : calls! }));
    const tools = { read_file: readFile(ai).read_file, ask: { inputSchema: ai.jsonSchema({ type: "object" }) } };
    const settings = guard({ tools, stopWhen: ai.stepCountIs(20) }, { ...QUICK, ...end.options });

    expect(loopStop(await generate(settings, script))).toMatchObject({ callId: `call-${end.at + 1}` });
  });

  it("says nothing of a run that the caller's own condition ended", async () => {
    const { read_file } = readFile(ai);
    const result = await generate(guard({ tools: { read_file }, stopWhen: ai.stepCountIs(4) }));

    expect(result.steps).toHaveLength(4);
    expect(loopStop(result)).toBeUndefined();
  });
});

import { guard, isBlockedCall, loopStop } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import type { StepsLike } from "../../../packages/doomloop/src/adapters/ai-sdk/loop-stop.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type AiPackage, packages } from "./ai-packages.ts";
import { looping, readFile, scripted } from "./scripted.ts";

const WORDS = "[doomloop]";
const PROSE = "It is 12 degrees in Berlin.";

/** A piece of a stream for a chat's screen. */
interface ScreenPart {
  readonly type: string;
  readonly output?: unknown;
  readonly errorText?: string;
}

interface ScreenOptions {
  readonly onError?: (error: unknown) => string;
}

interface Streamed {
  toUIMessageStream(options?: ScreenOptions): AsyncIterable<ScreenPart>;
  readonly steps: PromiseLike<StepsLike["steps"]>;
}

/** Streams a looping run to a screen, from the function or from an agent. */
async function show(ai: AiPackage, tool: object, how: { agent?: boolean; screen?: ScreenOptions } = {}) {
  const { model, requests } = scripted(ai, looping());
  const { read_file } = readFile(ai, tool);
  const settings = { model, ...guard({ tools: { read_file }, stopWhen: ai.stepCountIs(20) }, QUICK) };
  const agent = new ai.Agent(settings) as unknown as { stream(call: object): Streamed | PromiseLike<Streamed> };
  const result = await (how.agent
    ? agent.stream({ prompt: "go" })
    : (ai.streamText({ ...settings, prompt: "go" }) as unknown as Streamed));
  const parts: ScreenPart[] = [];
  for await (const part of result.toUIMessageStream(how.screen)) parts.push(part);
  return {
    outputs: parts.filter(({ type }) => type === "tool-output-available").map(({ output }) => output),
    errors: parts.filter(({ type }) => type === "tool-output-error").map(({ errorText }) => errorText),
    read: requests.map(({ prompt }) => JSON.stringify(prompt)),
    stop: await loopStop(result),
  };
}

describe.each(packages)("what a user's screen shows, in ai $major", (ai) => {
  describe.each([
    ["text", PROSE],
    ["an object", { weather: PROSE }],
    ["text that is JSON", JSON.stringify({ weather: PROSE })],
  ])("of %s", (_kind, output) => {
    it.each([false, true])(
      "is the tool's own output, while the model reads our words; from an agent: %s",
      async (agent) => {
        const { outputs, read, stop } = await show(ai, { execute: async () => output }, { agent });

        expect(outputs.length).toBeGreaterThanOrEqual(3);
        expect(outputs.filter((shown) => JSON.stringify(shown) === JSON.stringify(output))).toHaveLength(
          outputs.length,
        );
        expect(read[2]).not.toContain(WORDS);
        expect(read[3]?.includes(WORDS)).toBe(true);
        expect(stop).toBeDefined();
      },
    );

    it("is the same in the result of generateText", async () => {
      const { model, requests } = scripted(ai, looping());
      const { read_file } = readFile(ai, { execute: async () => output });
      const settings = guard({ tools: { read_file }, stopWhen: ai.stepCountIs(20) }, QUICK);
      const { steps } = (await ai.generateText({ model, prompt: "go", ...settings })) as {
        steps: { content: { type: string; output?: unknown }[] }[];
      };
      const third = steps[2]?.content.find(({ type }) => type === "tool-result");

      expect(third?.output).toEqual(output);
      expect(JSON.stringify(requests[3]?.prompt).includes(WORDS)).toBe(true);
    });
  });

  it("says of a call that was not run what the page says, if the host passes nothing on", async () => {
    const { errors, read } = await show(ai, { execute: async () => PROSE });

    expect(errors.length).toBeGreaterThan(0);
    // Since 7.0.170, the SDK shows the user what the model reads.
    for (const text of errors)
      expect(text).toMatch(
        ai.major === 7 ? /^BlockedCall: \[doomloop\] (?:Not run|This run is stopped):/ : /^An error occurred\.$/,
      );
    expect(read.at(-1)).toContain("Not run:");
  });

  it("says in words for people why a call was not run, if the host passes them on", async () => {
    const onError = (error: unknown) => (isBlockedCall(error) ? error.explanation : "An error occurred.");
    const { errors, read } = await show(ai, { execute: async () => PROSE }, { screen: { onError } });

    expect(errors.length).toBeGreaterThan(0);
    for (const text of errors) expect(text).toMatch(/^(?:The agent|Stopped: the agent) called `read_file` .*time/);
    expect(errors.join()).not.toContain(WORDS);
    expect(read.at(-1)).toContain("Not run:");
  });
});

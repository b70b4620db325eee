import { guard, type LoopStop, loopStop } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import type { StepsLike, StreamedStepsLike } from "../../../packages/doomloop/src/adapters/ai-sdk/loop-stop.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { type AiPackage, packages } from "./ai-packages.ts";
import { readFile, scripted } from "./scripted.ts";

interface Part {
  readonly type: string;
  readonly approvalId?: string;
  readonly isAutomatic?: boolean;
}

interface Result {
  readonly content: readonly Part[] | PromiseLike<readonly Part[]>;
  readonly responseMessages?: readonly object[] | PromiseLike<readonly object[]>;
  readonly response: { readonly messages: readonly object[] } | PromiseLike<{ readonly messages: readonly object[] }>;
}

type Way = "generateText" | "streamText";

/** A model that makes one call again and again, and a person who agrees to everything: until the end shows, or for so many turns. */
async function converse(
  ai: AiPackage,
  settings: object,
  { way = "generateText" as Way, turns = 12, copies = false } = {},
) {
  const user: object = { role: "user", content: "go" };
  let messages = [user];
  let stop: LoopStop | undefined;
  let asked = 0;
  let calls = 0;
  const said: string[] = [];
  for (let turn = 0; turn < turns && stop === undefined; turn++) {
    const script = Array.from({ length: 20 }, () => ({
      calls: [{ id: `call-${++calls}`, tool: "read_file", args: { path: "x" } }],
    }));
    calls -= 20;
    const { model, requests } = scripted(ai, script);
    const result = (await ai[way]({ model, messages, ...settings })) as unknown as Result;
    stop = await loopStop(result as unknown as StepsLike & StreamedStepsLike);
    calls += requests.length;
    said.push(JSON.stringify(requests.at(-1)?.prompt));
    const requested = (await result.content).filter(
      ({ type, isAutomatic }) => type === "tool-approval-request" && isAutomatic !== true,
    );
    asked += requested.length;
    const added = (await result.responseMessages) ?? (await result.response).messages;
    const agreed = requested.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true }));
    messages = [...messages, ...added, { role: "tool", content: agreed }];
    if (copies) messages = structuredClone(messages);
  }
  return { stop, asked, said: said.join("\n") };
}

const ways: readonly Way[] = ["generateText", "streamText"];

describe.each(packages)("approval by a person, in ai $major", (ai) => {
  const guardedTool = (needsApproval: unknown, options: object = QUICK) => {
    const { read_file, executed } = readFile(ai, { needsApproval });
    return { executed, settings: guard({ tools: { read_file }, stopWhen: ai.stepCountIs(20) }, options) };
  };

  describe.each(ways)("of %s", (way) => {
    it.each([
      { title: "a tool that always asks", needsApproval: true },
      { title: "a tool that says when to ask", needsApproval: async ({ path }: { path: string }) => path === "x" },
    ])("ends with the loop of $title, and is not asked for what is refused", async ({ needsApproval }) => {
      const { executed, settings } = guardedTool(needsApproval);
      const { stop, asked } = await converse(ai, settings, { way });

      expect(stop).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file" });
      expect(executed).toHaveLength(4);
      // The guard may refuse the fifth only after somebody was asked.
      expect(asked).toBeLessThanOrEqual(5);
    });
  });

  it("ends with the loop of a conversation that comes back as a copy", async () => {
    const { executed, settings } = guardedTool(true);
    const { stop, asked } = await converse(ai, settings, { copies: true });

    expect(stop?.status).toBe("LOOP_DETECTED");
    expect(executed).toHaveLength(4);
    expect(asked).toBeLessThanOrEqual(5);
  });

  it("is asked as often as ever where the host allows every loop, and nothing runs without it", async () => {
    const { executed, settings } = guardedTool(true, { ...QUICK, onDecision: () => ({ action: "continue" }) });
    const { asked } = await converse(ai, settings, { turns: 10 });

    expect(asked).toBe(10);
    expect(executed).toHaveLength(9);
  });

  it("is asked again after the user has spoken", async () => {
    const { settings } = guardedTool(true);
    await converse(ai, settings);
    const { model } = scripted(ai, [{ calls: [{ id: "late", tool: "read_file", args: { path: "x" } }] }]);
    const result = (await ai.generateText({ model, prompt: "go", ...settings })) as unknown as Result;

    expect((await result.content).map(({ type }) => type)).toContain("tool-approval-request");
  });

  it("is not asked by a tool that asks nobody", async () => {
    const { settings } = guardedTool(false);

    expect(settings.tools.read_file).toHaveProperty("needsApproval", false);
    expect((await converse(ai, settings, { turns: 1 })).stop?.status).toBe("LOOP_DETECTED");
  });
});

describe.each(packages.filter(({ major }) => major === 7))("toolApproval, in ai $major", (ai) => {
  describe.each(ways)("of %s", (way) => {
    it.each([
      { title: "a line for a tool", toolApproval: { read_file: "user-approval" } },
      { title: "a line with a reason", toolApproval: { read_file: { type: "user-approval", reason: "It costs." } } },
      { title: "a function for a tool", toolApproval: { read_file: async () => "user-approval" } },
      { title: "one function for all tools", toolApproval: () => "user-approval" },
    ])("denies what the guard refuses, with its words, and ends the run: $title", async ({ toolApproval }) => {
      const { read_file, executed } = readFile(ai);
      const settings = guard({ tools: { read_file }, stopWhen: ai.stepCountIs(20), toolApproval }, QUICK);
      const { stop, asked, said } = await converse(ai, settings, { way });

      expect(stop).toMatchObject({ status: "LOOP_DETECTED", tool: "read_file" });
      expect(executed).toHaveLength(4);
      expect(asked).toBeLessThanOrEqual(5);
      expect(said).toContain("[doomloop] Not run:");
    });
  });

  it("passes on what asks nobody as it is", () => {
    const lines = { read_file: "approved", write_file: { type: "denied", reason: "No." } };

    expect(guard({ toolApproval: lines }).toolApproval).toEqual(lines);
    expect(guard({ toolApproval: undefined }).toolApproval).toBeUndefined();
  });
});

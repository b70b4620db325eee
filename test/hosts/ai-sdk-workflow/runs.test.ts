import { WorkflowAgent } from "@ai-sdk/workflow";
import { isStepCount, jsonSchema, type ModelMessage } from "ai";
import { guard } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import type { ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { loopScript, QUICK } from "../../contracts/adapter-scripts.ts";
import { scripted } from "./scripted.ts";

const WORDS = "[doomloop]";

describe("runs of one WorkflowAgent", () => {
  const read_file = { inputSchema: jsonSchema({ type: "object" }), execute: async () => "nothing" };

  it("are not one run if they have the same words and ids, one after the other", async () => {
    const settings = guard({ tools: { read_file }, stopWhen: isStepCount(5) });
    const read: string[] = [];
    for (let at = 0; at < 25; at++) {
      const { model, requests } = scripted(loopScript(1));
      await new WorkflowAgent({ ...settings, model }).stream({ prompt: "Is it there?" });
      read.push(JSON.stringify(requests));
    }

    expect(read.filter((text) => text.includes(WORDS))).toEqual([]);
  });

  it("go on with their guard, and end no more once the user speaks", async () => {
    const settings = guard({ tools: { read_file }, stopWhen: isStepCount(20) }, QUICK);
    const ask = async (script: readonly ScriptedAnswer[], messages: ModelMessage[]) => {
      const { model, requests } = scripted(script);
      const { messages: after } = await new WorkflowAgent({ ...settings, model }).stream({ messages });
      return { requests, after };
    };
    const ended = await ask(loopScript(), [{ role: "user", content: "Is it there?" }]);
    const next = await ask(loopScript(1), [...ended.after, { role: "user", content: "Look again." }]);

    expect([ended.requests.length, next.requests.length]).toEqual([6, 2]);
    expect(JSON.stringify(next.after.slice(ended.after.length))).not.toContain(WORDS);
  });
});

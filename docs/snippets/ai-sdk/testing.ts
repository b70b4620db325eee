import type { ToolSet } from "ai";
import type { RepeatingRun } from "doomloop/testing";

declare const tools: ToolSet;
declare function toAnswer(
  call: ReturnType<RepeatingRun["next"]>,
): Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

// #region is-guarded
import { it } from "node:test";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { guard } from "doomloop/ai-sdk";
import { assertGuarded } from "doomloop/testing";

it("is guarded", async () => {
  const ask = { tool: "search", args: { query: "x" } };
  await assertGuarded(async (run) => {
    const model = new MockLanguageModelV4({
      // The call in your framework's format; if it is undefined, answer with text.
      doGenerate: async ({ prompt }) => toAnswer(run.next(prompt)),
    });
    await generateText({ model, prompt: "Go.", ...guard({ tools, stopWhen: isStepCount(50) }) });
  }, ask);
});
// #endregion is-guarded

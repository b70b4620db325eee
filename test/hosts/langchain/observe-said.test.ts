import { AIMessage } from "@langchain/core/messages";
import { type AgentEvent, createGuard } from "doomloop";
import { expect, it } from "vitest";
import { agentOf, anyTool } from "./run-agent.ts";
import { ScriptedModel } from "./scripted-model.ts";

class OneAnswer extends ScriptedModel {
  readonly #answers: AIMessage[];

  constructor(...answers: AIMessage[]) {
    super();
    this.#answers = answers;
  }

  override bindTools(): never {
    return this as never;
  }

  override async _generate() {
    const message = this.#answers.shift()!;
    return { generations: [{ text: "", message }] };
  }
}

/** What a guard hears of an answer. */
async function heard(...answers: AIMessage[]): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  const own = createGuard();
  const observe = (event: AgentEvent) => {
    events.push(event);
    return own.observe(event);
  };
  const model = new OneAnswer(...answers);
  await agentOf([anyTool("read_file", () => "nothing")], { guard: { ...own, observe } }, { model }).invoke({
    messages: "go",
  });
  return events.filter(({ type }) => type === "text" || type === "reasoning");
}

const tool_calls = [{ id: "a", name: "read_file", args: {}, type: "tool_call" as const }];

it("hears words beside a call as a part of the answer, and an answer without one as a whole", async () => {
  expect(await heard(new AIMessage({ content: "I look.", tool_calls }), new AIMessage("Done."))).toMatchObject([
    { type: "text", text: "I look.", partial: true },
    { type: "text", text: "Done.", partial: false },
  ]);
});

it("hears nothing where nothing is said", async () => {
  expect(await heard(new AIMessage({ content: "", tool_calls }), new AIMessage({ content: [] }))).toEqual([]);
});

it.each([
  ["of Anthropic", { content: [{ type: "thinking", thinking: "Hm.", signature: "s" }] }, "anthropic"],
  ["of Anthropic without its name", { content: [{ type: "thinking", thinking: "Hm.", signature: "s" }] }],
  ["in the standard wording", { content: [{ type: "reasoning", reasoning: "Hm." }] }],
  ["of OpenAI's Responses", { content: [], additional_kwargs: { reasoning: responsesItem() } }, "openai"],
  ["of DeepSeek", { content: "", additional_kwargs: { reasoning_content: "Hm." } }, "deepseek"],
  ["of a server like OpenAI's", { content: "", additional_kwargs: { reasoning_content: "Hm." } }, "openai"],
  ["of a provider that nobody knows", { content: "", additional_kwargs: { reasoning_content: "Hm." } }, "somebody"],
] as const)("hears thoughts %s", async (_whose, fields, model_provider?: string) => {
  const message = new AIMessage({ ...fields, response_metadata: { model_provider } } as object);

  expect(await heard(message)).toEqual([{ type: "reasoning", text: "Hm." }]);
});

it("still hears the text of a message whose translator fails", async () => {
  const message = new AIMessage({ content: "Done." });
  Object.defineProperty(message, "contentBlocks", {
    get() {
      throw new TypeError("no such block");
    },
  });

  expect(await heard(message)).toMatchObject([{ type: "text", text: "Done.", partial: false }]);
});

function responsesItem(): object {
  return { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "Hm." }] };
}

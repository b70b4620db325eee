import { type AgentEvent, createGuard } from "doomloop";
import { guard } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import { type AiPackage, packages } from "./ai-packages.ts";
import { looping, readFile, scripted } from "./scripted.ts";

const script = looping(3).map((answer, at) => ({ ...answer, reasoning: `thought ${at}`, text: `word ${at}` }));

/** A guard, and what it heard. */
function listening() {
  const heard: string[] = [];
  const own = createGuard();
  const observe = (event: AgentEvent) => {
    heard.push("text" in event ? `${event.type} ${event.text}` : event.type);
    return own.observe(event);
  };
  return { own: { ...own, observe }, heard };
}

/** The messages that a run added; the newest major has moved them. */
function answersOf(result: object): { content: unknown }[] {
  const { responseMessages, response } = result as { responseMessages?: []; response: { messages: [] } };
  return responseMessages ?? response.messages;
}

const wire = (ai: AiPackage, more: object = {}) => {
  const { own, heard } = listening();
  const { read_file } = readFile(ai, more);
  return { heard, settings: guard({ tools: { read_file } }, { guard: own }) };
};

const ANSWER = ["round", "call", "result"];
const NEXT = (at: number): string[] => ["round", `reasoning thought ${at}`, `text word ${at}`, "call", "result"];

describe.each(packages)("what is said beside calls, in ai $major", (ai) => {
  it.each(["generateText", "streamText"] as const)("is heard once, also without a condition, in %s", async (name) => {
    const { settings, heard } = wire(ai);
    const { model } = scripted(ai, script);
    const run = ai[name]({ model, prompt: "go", stopWhen: ai.stepCountIs(9), ...settings });
    await (run as { steps?: PromiseLike<unknown> }).steps;
    await run;

    expect(heard).toEqual(["user go", ...ANSWER, ...NEXT(0), ...NEXT(1)]);
  });

  it("is heard once where messages are copied on the way, and of no other run", async () => {
    const { settings, heard } = wire(ai);
    const prepareStep = ({ messages }: { messages: unknown }) => ({ messages: structuredClone(messages) });
    const more = { stopWhen: ai.stepCountIs(9), prepareStep, ...settings };
    const { model } = scripted(ai, script);
    await ai.generateText({ model, prompt: "go", ...more });
    expect(heard).toEqual(["user go", ...ANSWER, ...NEXT(0), ...NEXT(1)]);
    const unguarded = { tools: { read_file: readFile(ai).read_file } };
    const other = await ai.generateText({ model: scripted(ai, script).model, prompt: "other", ...unguarded });
    const messages = [{ role: "user", content: "other" }, ...answersOf(other)];
    heard.length = 0;
    await ai.generateText({ model: scripted(ai, looping(1)).model, messages, ...more });

    expect(heard).toEqual(ANSWER);
  });

  it("is heard once of calls that a human agreed to", async () => {
    const { settings, heard } = wire(ai, { needsApproval: true });
    const { model } = scripted(ai, script.slice(0, 2));
    let messages: object[] = [{ role: "user", content: "go" }];
    for (let asked = 0; asked < 3; asked++) {
      const answers = answersOf(await ai.generateText({ model, messages, stopWhen: ai.stepCountIs(9), ...settings }));
      const requests = answers.flatMap(({ content }) => content as { approvalId?: string }[]);
      const approvalId = requests.findLast((part) => part.approvalId !== undefined)?.approvalId;
      const response = { type: "tool-approval-response", approvalId, approved: true };
      messages = [...messages, ...answers, { role: "tool", content: [response] }];
    }

    expect(heard.filter((each) => each.startsWith("text"))).toEqual(["text word 0"]);
  });
});

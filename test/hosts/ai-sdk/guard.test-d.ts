import {
  generateText as generateText7,
  isStepCount,
  type LanguageModel,
  type PrepareStepFunction,
  streamText,
  type ToolApprovalConfiguration,
  ToolLoopAgent,
  tool as tool7,
} from "ai";
import {
  ToolLoopAgent as Agent6,
  generateText as generateText6,
  type LanguageModel as Model6,
  stepCountIs as steps6,
  streamText as streamText6,
  tool as tool6,
} from "ai-v6";
import { guard, type LoopStop, loopStop } from "doomloop/ai-sdk";
import { expectTypeOf } from "vitest";
import { z } from "zod";

declare const model: LanguageModel;
declare const model6: Model6;

const inputSchema = z.object({ query: z.string() });
const execute = async ({ query }: { query: string }) => ({ found: query.length });

/** The tools are the framework's own to the type checker: what it infers from them is what it inferred without us. */
export async function inferredIn7(): Promise<void> {
  const tools = { search: tool7({ inputSchema, execute }) };
  const bare = await generateText7({ model, prompt: "", tools, stopWhen: isStepCount(5) });
  const result = await generateText7({ model, prompt: "", ...guard({ tools, stopWhen: isStepCount(5) }) });
  expectTypeOf(result).toEqualTypeOf(bare);
  const [called] = result.toolResults;
  if (called?.dynamic !== true) expectTypeOf(called!.output).toEqualTypeOf<{ found: number }>();
  if (called?.dynamic !== true) expectTypeOf(called!.input).toEqualTypeOf<{ query: string }>();

  const stream = streamText({ model, prompt: "", ...guard({ tools, stopWhen: [isStepCount(5)] }) });
  expectTypeOf(stream).toEqualTypeOf(streamText({ model, prompt: "", tools, stopWhen: [isStepCount(5)] }));
  const agent = new ToolLoopAgent({ model, ...guard({ tools, stopWhen: isStepCount(5) }) });
  expectTypeOf(agent).toEqualTypeOf(new ToolLoopAgent({ model, tools, stopWhen: isStepCount(5) }));
}

export async function inferredIn6(): Promise<void> {
  const tools = { search: tool6({ inputSchema, execute }) };
  const bare = await generateText6({ model: model6, prompt: "", tools });
  const result = await generateText6({ model: model6, prompt: "", ...guard({ tools, stopWhen: steps6(5) }) });
  expectTypeOf(result).toEqualTypeOf(bare);
  const agent = new Agent6({ model: model6, ...guard({ tools, stopWhen: steps6(5) }) });
  expectTypeOf(agent).toEqualTypeOf(new Agent6({ model: model6, tools }));
}

/** A whole settings object can be guarded too, and tools without a stop condition. */
export async function otherShapes(): Promise<void> {
  const tools = { search: tool7({ inputSchema, execute }) };
  await generateText7(guard({ model, prompt: "", tools, stopWhen: isStepCount(5) }));
  const settings = guard({ tools });
  expectTypeOf(settings.tools).toEqualTypeOf(tools);
  expectTypeOf(settings).toEqualTypeOf<{ tools: typeof tools }>();
  // @ts-expect-error: a step limit is a condition, not a number.
  guard({ tools, stopWhen: 5 });
}

/** The end of a run is read off whatever the framework gives: at once from a result, as a promise from a stream. */
export async function readsTheEnd(): Promise<void> {
  const tools7 = guard({ tools: { search: tool7({ inputSchema, execute }) }, stopWhen: isStepCount(5) });
  const tools6 = guard({ tools: { search: tool6({ inputSchema, execute }) }, stopWhen: steps6(5) });
  type End = LoopStop | undefined;
  expectTypeOf(loopStop(await generateText7({ model, prompt: "", ...tools7 }))).toEqualTypeOf<End>();
  expectTypeOf(loopStop(await generateText6({ model: model6, prompt: "", ...tools6 }))).toEqualTypeOf<End>();
  expectTypeOf(loopStop(streamText({ model, prompt: "", ...tools7 }))).toEqualTypeOf<Promise<End>>();
  expectTypeOf(loopStop(streamText6({ model: model6, prompt: "", ...tools6 }))).toEqualTypeOf<Promise<End>>();
  const agent = new ToolLoopAgent({ model, ...tools7 });
  expectTypeOf(loopStop(await agent.generate({ prompt: "" }))).toEqualTypeOf<End>();
  expectTypeOf(loopStop(await agent.stream({ prompt: "" }))).toEqualTypeOf<Promise<End>>();
  expectTypeOf(loopStop(await new Agent6({ model: model6, ...tools6 }).generate({ prompt: "" }))).toEqualTypeOf<End>();
  streamText({ model, prompt: "", ...tools7, onFinish: (event) => void loopStop(event) });
  streamText6({ model: model6, prompt: "", ...tools6, onFinish: (event) => void loopStop(event) });
  // @ts-expect-error: the settings are no result.
  loopStop(tools7);
}

/** The caller's own preparation of steps goes along, with the types of the framework. */
export async function prepares(): Promise<void> {
  const tools = { search: tool7({ inputSchema, execute }) };
  const prepareStep: PrepareStepFunction<typeof tools> = () => ({ activeTools: ["search"] });
  const settings = { tools, stopWhen: isStepCount(5), prepareStep };
  const bare = await generateText7({ model, prompt: "", ...settings });
  const result = await generateText7({ model, prompt: "", ...guard(settings, { finalReport: true }) });
  expectTypeOf(result).toEqualTypeOf(bare);
  // @ts-expect-error: on or off.
  guard({ tools }, { finalReport: "yes" });
}

/** A preparation that is written in place needs no types of its own. */
export async function preparesInPlace(): Promise<void> {
  const in7 = { search: tool7({ inputSchema, execute }) };
  const in6 = { search: tool6({ inputSchema, execute }) };
  const common7 = { tools: in7, stopWhen: isStepCount(5) };
  const common6 = { tools: in6, stopWhen: steps6(5) };
  await generateText7({
    model,
    prompt: "",
    ...guard({ ...common7, prepareStep: () => ({ activeTools: ["search"] }) }),
  });
  await generateText7({
    model,
    prompt: "",
    ...guard({
      tools: in7,
      stopWhen: [isStepCount(5)],
      prepareStep: async ({ stepNumber, messages }) =>
        stepNumber === 0
          ? { toolChoice: { type: "tool", toolName: "search" } }
          : { toolChoice: "required", messages: [...messages, { role: "user", content: "Go on." }], temperature: 0 },
    }),
  });
  await generateText7({ model, prompt: "", ...guard({ ...common7, prepareStep: () => undefined }) });
  streamText({ model, prompt: "", ...guard({ ...common7, prepareStep: () => ({ toolChoice: "none", model }) }) });
  new ToolLoopAgent({ model, ...guard({ ...common7, prepareStep: () => ({ activeTools: ["search"] }) }) });
  await generateText7(guard({ model, prompt: "", ...common7, prepareStep: () => ({ activeTools: ["search"] }) }));
  new ToolLoopAgent({ model, ...guard({ tools: in7, prepareCall: (call) => ({ ...call, temperature: 0 }) }) });
  const prepareStep6 = guard({ ...common6, prepareStep: () => ({ activeTools: ["search"], toolChoice: "auto" }) });
  await generateText6({ model: model6, prompt: "", ...prepareStep6 });
  // @ts-expect-error: the host knows its tools.
  await generateText7({ model, prompt: "", ...guard({ ...common7, prepareStep: () => ({ activeTools: ["find"] }) }) });
}

/** What nobody reads is refused, as far as the names can be known here. */
export function misspells(): void {
  const tools = { search: tool7({ inputSchema, execute }) };
  // @ts-expect-error: it is stopWhen.
  guard({ tools, stopwhen: isStepCount(5) });
  // @ts-expect-error: it is prepareStep.
  guard({ tools, stopWhen: isStepCount(5), preparestep: () => undefined });
  // @ts-expect-error: it is stopWhen, since ai 5.
  guard({ tools, maxSteps: 5 });
  // @ts-expect-error: it is onStop.
  guard({ tools }, { onstop: () => undefined });
  // @ts-expect-error: there is no such option.
  guard({ tools }, { maxRepeats: 3 });
  guard({ tools, stopWhen: isStepCount(5), temperature: 0, onFinish: () => undefined });
}

/** Approvals of ai 7 go along, written in place or not. */
export async function approves(): Promise<void> {
  const common = { tools: { search: tool7({ inputSchema, execute }) }, stopWhen: isStepCount(5) };
  await generateText7({ model, prompt: "", ...guard({ ...common, toolApproval: { search: "user-approval" } }) });
  streamText({
    model,
    prompt: "",
    ...guard({ ...common, toolApproval: { search: ({ query }) => (query === "" ? "denied" : "user-approval") } }),
  });
  new ToolLoopAgent({
    model,
    ...guard({ ...common, toolApproval: ({ toolCall }) => ({ type: "user-approval", reason: toolCall.toolName }) }),
  });
  const toolApproval: ToolApprovalConfiguration<typeof common.tools, Record<string, unknown>> = {
    search: "user-approval",
  };
  await generateText7({ model, prompt: "", ...guard({ ...common, toolApproval }) });
}

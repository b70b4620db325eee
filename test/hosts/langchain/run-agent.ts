import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { type GuardedAgentOptions, guard } from "doomloop/langchain";
import { createAgent } from "langchain";
import type { HostRequest, ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { scripts } from "../shared/scripts.ts";
import { ScriptedModel } from "./scripted-model.ts";

export const WORDS = "[doomloop]";

/** A tool that takes any object. */
export function anyTool(name: string, run: (args: unknown, config: unknown) => unknown): ReturnType<typeof tool> {
  const schema = { type: "object", properties: {}, additionalProperties: true } as const;
  return tool(run as never, { name, description: name, schema }) as never;
}

/** The same call so often, then the end. */
export function looping(length = 10, name = "read_file", from = 1): ScriptedAnswer[] {
  return Array.from({ length }, (_, at) => ({ calls: [{ id: `call-${at + from}`, tool: name, args: { path: "x" } }] }));
}

/** What is used of an agent, and of a graph. */
export interface Agent {
  invoke(input: unknown, config?: object): Promise<{ messages: BaseMessage[]; __interrupt__?: object[] }>;
}

interface MoreSettings {
  readonly middleware?: readonly object[];
  /** Whether our middleware is moved behind the others, as in libraries that put their own before those of the user. */
  readonly isGuardLast?: boolean;
  readonly [setting: string]: unknown;
}

/** An agent with a scripted model. It is guarded if there are options. */
export function agentOf(tools: object[], options?: GuardedAgentOptions, more: MoreSettings = {}): Agent {
  const { isGuardLast = false, middleware = [], ...settings } = more;
  const config = { model: new ScriptedModel(), tools, middleware: middleware as { name: string }[], ...settings };
  const guarded = options === undefined ? config : guard(config, options);
  const [ours, ...others] = guarded.middleware;
  const given = isGuardLast ? { ...guarded, middleware: [...others, ours] } : guarded;
  return createAgent(given as never) as unknown as Agent;
}

/** Runs an agent with a scripted model. */
export async function runWith(agent: Agent, answers: readonly ScriptedAnswer[], config: object = {}, input?: unknown) {
  const requests: HostRequest[] = [];
  const given = input !== undefined ? input : { messages: [new HumanMessage("go")] };
  const limits = { recursionLimit: 100, ...config };
  const result = await scripts.run({ answers, requests }, () => agent.invoke(given, limits));
  return { requests, prompts: requests.map(({ messages }) => JSON.stringify(messages)), ...result };
}

export const onThread = (id: string) => ({ configurable: { thread_id: id } });

export function countOf(text: string | undefined, words: string = WORDS): number {
  return (text ?? "").split(words).length - 1;
}

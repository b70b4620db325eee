import type Anthropic from "@anthropic-ai/sdk";
import { guard, loopStop } from "doomloop/anthropic";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { answer } from "./driver.ts";
import { scriptedClient } from "./messages-server.ts";

/** The program stores the list of messages after each step. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const messages = (stored ?? [{ role: "user", content: "Where is it?" }]) as Anthropic.MessageParam[];
  const { client, requests } = scriptedClient(script);
  const conversation = guard(messages, options);
  const message = await client.messages.create({ model: "scripted", max_tokens: 100, messages });
  conversation.message(message);
  messages.push({ role: message.role, content: message.content });
  const calls = message.content.filter((block) => block.type === "tool_use");
  const results = calls.map((call) => conversation.call(call, () => answer([tool], call)));
  messages.push({ role: "user", content: await Promise.all(results) });
  const stop = loopStop(conversation);
  return { state: messages, requests: requests.map(({ messages }) => messages), isOver: stop !== undefined, stop };
};

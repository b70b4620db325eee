import type Anthropic from "@anthropic-ai/sdk";
import { guardMessages } from "doomloop/anthropic";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { answer } from "./driver.ts";
import { scriptedClient } from "./messages-server.ts";

/** The program stores the list of messages after each step. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const messages = (stored ?? [{ role: "user", content: "Where is it?" }]) as Anthropic.MessageParam[];
  const { client, requests } = scriptedClient(script);
  const guard = guardMessages(options);
  if (options.guard === undefined) guard.resume(messages);
  const message = await client.messages.create({ model: "scripted", max_tokens: 100, messages });
  guard.message(message);
  messages.push({ role: message.role, content: message.content });
  const calls = message.content.filter((block) => block.type === "tool_use");
  const results = calls.map((call) => guard.call(call, () => answer([tool], call)));
  messages.push({ role: "user", content: await Promise.all(results) });
  return {
    state: messages,
    requests: requests.map(({ messages }) => messages),
    isOver: guard.stopped !== undefined,
    stop: guard.stopped,
  };
};

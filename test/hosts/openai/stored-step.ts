import { guard, loopStop } from "doomloop/openai";
import type OpenAI from "openai";
import type { TakeStep } from "../../contracts/stored-run.ts";
import { scriptedApi } from "./scripted-api.ts";

type Message = OpenAI.Chat.ChatCompletionMessageParam;

/** The program stores the list of messages after each step. */
export const takeStep: TakeStep = async (stored, { options, tool, script }) => {
  const messages = (stored ?? [{ role: "user", content: "Where is it?" }]) as Message[];
  const { client, requests } = scriptedApi(script);
  const observe = guard(messages, options);
  let { isOver, calls } = observe();
  if (!isOver) {
    messages.push((await client.chat.completions.create({ model: "scripted", messages })).choices[0]!.message);
    ({ isOver, calls } = observe());
    for (const call of calls) {
      if (call.type !== "function") throw new Error("a call that the scripts do not make");
      const content = String(await tool.run(JSON.parse(call.function.arguments)));
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  return { state: messages, requests: requests.map(({ body }) => body), isOver, stop: loopStop(observe) };
};

import { answerWith, type Block, streamed } from "../../anthropic-answer.ts";
import { hasTools, type ModelTurn, type Wire } from "../model-turn.ts";

/** Anthropic's Messages. */
export const messages: Wire = {
  base: "",
  read: ["system", "messages", "tools"],
  // The server knows the tools of a thread that goes on.
  isTurn: (path, body) =>
    /^\/v1\/messages(?:\?|$)/.test(path) &&
    (hasTools(body) || JSON.stringify(body.thread ?? null).includes("continue")),
  answer(turn, number, isStream) {
    const answer = answerWith(contentOf(turn, number), `message-${number}`);
    return isStream ? streamed(answer) : JSON.stringify(answer);
  },
};

function contentOf({ text, calls = [] }: ModelTurn, number: number): Block[] {
  const words = text === undefined && calls.length > 0 ? [] : [{ type: "text", text: text ?? "{}" }];
  const uses = calls.map(({ tool, args }, at) => ({
    type: "tool_use",
    id: `toolu_${number}_${at}`,
    name: tool,
    input: args,
  }));
  return [...words, ...uses];
}

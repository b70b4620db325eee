import { appendWords } from "../../host/append-words.ts";
import type { CallPart, Fields } from "./read-items.ts";

/** A result in Chat Completions. */
export interface ToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

/** A result in Responses. */
export interface CallOutput {
  type: "function_call_output" | "custom_tool_call_output";
  call_id: string;
  output: string;
}

/** The result of a call that was not run, in the wire format of the call. */
export function answerTo({ id, call }: CallPart, text: string): ToolMessage | CallOutput {
  const { type } = call;
  if (type !== "function_call" && type !== "custom_tool_call") return { role: "tool", tool_call_id: id, content: text };
  return { type: `${type}_output`, call_id: id, output: text };
}

/** A result with words behind it; undefined where the format has no room for any. The item itself is left alone. */
export function withWords(item: Fields, words: string): object | undefined {
  if (item.role === "tool") {
    const content = appendWords(item.content, words);
    return content === undefined ? undefined : { ...item, content };
  }
  if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") return undefined;
  const output = appendWords(item.output, words, (text) => ({ type: "input_text", text }));
  return output === undefined ? undefined : { ...item, output };
}

/** Words where no result can carry them: a message is allowed wherever no call is open. */
export function messageOf(words: string): { role: "user"; content: string } {
  return { role: "user", content: words };
}

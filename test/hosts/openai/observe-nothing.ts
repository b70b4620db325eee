import type { Observe } from "doomloop/openai";
import type { CallIn } from "../../../packages/doomloop/src/adapters/openai/guard.ts";

interface AnyItem {
  readonly role?: string;
  readonly type?: string;
  readonly tool_calls?: readonly object[];
}

/** What a loop does by itself, without the adapter: the calls of the latest answer are run, and an answer without one is the end. */
export function observeNothing<Item>(messages: Item[]): Observe<Item> {
  return <Given = Item>(items: Given[] = messages as unknown[] as Given[]) => {
    const list = items as AnyItem[];
    const from = list.findLastIndex((item) => item.role === "user" || item.role === "tool" || isOutput(item)) + 1;
    const answer = list.slice(from);
    const calls = answer.flatMap((item) => (item.type === "function_call" ? [item] : (item.tool_calls ?? [])));
    return { calls: calls as CallIn<Given>[], answers: [], isOver: answer.length > 0 && calls.length === 0 };
  };
}

function isOutput({ type }: AnyItem): boolean {
  return type === "function_call_output";
}

import type { BlockLike } from "./messages.ts";

interface HistoryMessage {
  readonly role: string;
  readonly content: string | readonly BlockLike[];
}

/**
 * What the user says in messages that were added to a history; undefined where nothing was added but answers and results.
 *
 * Only what stands behind the last answer is new to the model. So a history that comes back as a copy is not taken for news.
 */
export function addedByUser(before: readonly object[], after: readonly object[]): string | undefined {
  const messages = after as readonly HistoryMessage[];
  const latest = messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1);
  const added = latest.filter((message) => !before.includes(message) && isSpoken(message));
  return added.length === 0 ? undefined : added.map(textOf).join("\n");
}

function isSpoken({ role, content }: HistoryMessage): boolean {
  return role === "user" && (typeof content === "string" || content.some(({ type }) => type !== "tool_result"));
}

function textOf({ content }: HistoryMessage): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
}

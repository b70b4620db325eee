import { isObject } from "../core/identity/read-object.ts";

/** Messages further back than this are not looked through. */
const MAX_MESSAGES = 200;
const MAX_PARTS = 20;

/** What the user said last in a list of messages, in the words of any framework. Undefined if nobody said anything. */
export function latestUserText(messages: readonly unknown[]): string | undefined {
  for (const message of messages.slice(-MAX_MESSAGES).reverse()) {
    if (!isObject(message)) continue;
    const { role, type, content, parts } = message as Record<string, unknown>;
    const text = role === "user" || type === "human" ? textOfParts(content ?? parts) : "";
    if (text !== "") return text;
  }
  return undefined;
}

/** The text of a message: the whole content, or the texts among its parts. */
export function textOfParts(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content
    .slice(0, MAX_PARTS)
    .map((part: unknown) => (isObject(part) ? (part as { text?: unknown }).text : part));
  return texts.filter((text) => typeof text === "string").join("\n");
}

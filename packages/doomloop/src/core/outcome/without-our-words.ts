import type { Platform } from "../identity/platform.ts";
import { MESSAGE_PREFIX } from "../message-prefix.ts";

const START = `${MESSAGE_PREFIX} `;
const IN_TEXT = `\n\n${START}`;
const MAX_MESSAGE = 2048;

/**
 * A tool's output without the words that the guard added to it. A host that hands us its conversation again hands us our own nudges too:
 * at the end of a text, after a blank line, or as the last of several content parts.
 *
 * One part of nothing but text is that text, so that a text equals the list that it became when words were added.
 */
export function withoutOurWords(output: unknown, platform: Platform): unknown {
  if (typeof output === "string") return textWithoutOurWords(output);
  if (!Array.isArray(output) || platform.isProxy(output)) return output;
  const isOurs = (part: unknown): boolean => textOfPart(part, platform)?.startsWith(START) === true;
  let { length } = output;
  while (length > 1 && isOurs(output[length - 1])) length--;
  const text = length === 1 ? textOfPart(output[0], platform) : undefined;
  if (text !== undefined && isOnlyText(output[0])) return textWithoutOurWords(text);
  return length === output.length ? output : output.slice(0, length);
}

function textWithoutOurWords(text: string): string {
  const at = text.indexOf(IN_TEXT, Math.max(0, text.length - MAX_MESSAGE));
  return at < 0 ? text : text.slice(0, at);
}

/** The text of a content part. */
function textOfPart(part: unknown, platform: Platform): string | undefined {
  if (typeof part !== "object" || part === null || platform.isProxy(part)) return undefined;
  const [type, text] = ["type", "text"].map((key) => Object.getOwnPropertyDescriptor(part, key)?.value as unknown);
  return typeof type === "string" && typeof text === "string" ? text : undefined;
}

/** Whether a part says nothing beside its text. */
function isOnlyText(part: object): boolean {
  return Object.keys(part).length === 2;
}

import { isObject } from "../core/identity/read-object.ts";
import { OPENINGS } from "../core/messages/wording.ts";
import { MESSAGE_PREFIX } from "../core/reading/result.ts";

// Core's `withoutOurWords` cleans the outputs that a guard compares. This file reads a stored conversation, so it also has to recognise
// texts that are ours entirely, and refusals.

const OURS = `${MESSAGE_PREFIX} `;
const APPENDED = `\n\n${OURS}`;
/** Our words are never longer, not even several messages together. */
const MAX_WORDS = 8192;
const REFUSALS = [OPENINGS.refused, OPENINGS.stopped, OPENINGS.restarted].map((opening) => `${OURS}${opening}`.trim());

/** Whether a result contains words of ours. The answer to a call that was not run does not count. */
export function hasOwnWords(output: unknown): boolean {
  if (typeof output === "string") return appendedAt(output) >= 0 || (output.startsWith(OURS) && !isRefusal(output));
  return Array.isArray(output) && (isOwnPart(output.at(-1)) || appendedIn(output.at(-1)) >= 0);
}

/** Whether a result is our answer to a call that was not run. */
export function isRefusal(output: unknown): boolean {
  if (typeof output !== "string" || !output.startsWith(OURS)) return false;
  const head = output.slice(0, MAX_WORDS);
  return REFUSALS.some((refusal) => head.includes(refusal));
}

/** The tool's own answer, as it was before words were appended. */
export function withoutOwnWords(output: unknown): unknown {
  if (typeof output === "string") {
    const at = output.startsWith(OURS) ? 0 : appendedAt(output);
    return at < 0 ? output : output.slice(0, at);
  }
  if (!Array.isArray(output)) return output;
  const parts = output.slice(0, output.findLastIndex((part) => !isOwnPart(part)) + 1);
  const at = appendedIn(parts.at(-1));
  if (at < 0) return parts.length === output.length ? output : parts;
  const last = parts.pop() as { readonly text: string };
  return [...parts, { ...last, text: last.text.slice(0, at) }];
}

function appendedAt(text: string): number {
  return text.indexOf(APPENDED, Math.max(0, text.length - MAX_WORDS));
}

function isOwnPart(part: unknown): boolean {
  return textIn(part)?.startsWith(OURS) === true;
}

/** Where our words begin in the text of a part. Where parts cannot be added, they are appended to the last one. */
function appendedIn(part: unknown): number {
  const text = textIn(part);
  return text === undefined ? -1 : appendedAt(text);
}

function textIn(part: unknown): string | undefined {
  const text: unknown = isObject(part) ? (part as { text?: unknown }).text : undefined;
  return typeof text === "string" ? text : undefined;
}

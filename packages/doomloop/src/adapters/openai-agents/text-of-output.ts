import { isJsonText } from "../../host/append-words.ts";
import { modelValue } from "../../host/model-value.ts";

/** Longer JSON is compared as text. */
const MAX_PARSED = 262_144;

/**
 * A tool's output as the guard compares it. A stored conversation has only the text, so a value must equal its JSON: both are read as the
 * value that the JSON says.
 */
export function readOutput(output: unknown): unknown {
  const text = textOfOutput(output);
  if (text === undefined) return modelValue(output);
  return text.length <= MAX_PARSED && isJsonText(text) ? JSON.parse(text) : text;
}

/**
 * A tool's output as the model reads it, if that is text; undefined for images, files and bytes.
 *
 * The SDK writes text unchanged, text parts as their text, and other values as JSON.
 */
export function textOfOutput(output: unknown): string | undefined {
  if (typeof output !== "object" || output === null) return String(output);
  const parts: readonly unknown[] = Array.isArray(output) ? output : [output];
  if (parts.length > 0 && parts.every(isTextPart)) return parts.map(({ text }) => text).join("\n");
  if (parts.some(isMedia)) return undefined;
  return jsonOf(output);
}

interface TextPart {
  readonly type: "text";
  readonly text: string;
}

function isTextPart(part: unknown): part is TextPart {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return type === "text" && typeof text === "string";
}

function isMedia(part: unknown): boolean {
  const { type } = (part ?? {}) as { type?: unknown };
  return type === "image" || type === "file";
}

/** Undefined if the value is not JSON, or contains bytes, which the SDK shortens in its own way. */
function jsonOf(value: object): string | undefined {
  let hasBytes = false;
  try {
    const json = JSON.stringify(value, (_key, inner: unknown) => {
      hasBytes ||= isBytes(inner);
      return hasBytes ? undefined : inner;
    });
    return hasBytes ? undefined : json;
  } catch {
    return undefined;
  }
}

function isBytes(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer || (value as { type?: unknown }).type === "Buffer";
}

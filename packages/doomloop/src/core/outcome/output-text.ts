import type { Platform } from "../identity/platform.ts";
import { readObject } from "../identity/read-object.ts";

const MAX_TEXT = 4096;
const MAX_NODES = 500;
const MAX_NAME = 64;

/**
 * The words in an output that is not text: the values in it, each on a line of its own with its name, within bounds.
 *
 * Only for reading what the output says; whether two outputs are equal is decided on the whole value.
 */
export function outputText(output: unknown, platform: Platform): string {
  if (typeof output === "string") return output;
  if (output === undefined || output === null) return "";
  const waiting: unknown[] = [output];
  const names: string[] = [""];
  const lines: string[] = [];
  let length = 0;
  for (let nodes = 0; waiting.length > 0 && nodes < MAX_NODES && length < MAX_TEXT; nodes++) {
    const value = waiting.pop();
    const name = names.pop()!;
    if (typeof value === "object" && value !== null) {
      pushChildren(waiting, names, value, platform);
      continue;
    }
    const words = typeof value === "symbol" || typeof value === "function" ? "" : String(value).slice(0, MAX_TEXT);
    // A name says something only of what is there: `failed: 0` and `error: null` tell of no failure.
    const line = name !== "" && isTold(value) ? `${name}: ${words}` : words;
    lines.push(line);
    length += line.length;
  }
  return lines.join("\n");
}

/** Whether an output object itself says that it is an error, as MCP results do. */
export function saysIsError(output: unknown, platform: Platform): boolean {
  if (typeof output !== "object" || output === null || platform.isProxy(output)) return false;
  return Object.getOwnPropertyDescriptor(output, "isError")?.value === true;
}

function isTold(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (typeof value === "number" && value !== 0);
}

/** Last first, so that the stack gives them back in order. */
function pushChildren(waiting: unknown[], names: string[], value: object, platform: Platform): void {
  const read = readObject(value, platform);
  if (read === undefined) return;
  if (read.by === "json") {
    waiting.push(read.value);
    names.push("");
    return;
  }
  // The first part only says what kind of thing it is. Bytes are read by number.
  if (read.by === "parts" && !ArrayBuffer.isView(value)) {
    const parts = read.parts.slice(1, MAX_NODES).toReversed();
    waiting.push(...parts);
    names.push(...parts.map(() => ""));
  }
  const keys = Object.keys(value);
  for (let at = Math.min(keys.length, MAX_NODES) - 1; at >= 0; at--) {
    const property = Object.getOwnPropertyDescriptor(value, keys[at]!);
    if (property === undefined || !("value" in property)) continue;
    waiting.push(property.value);
    names.push(Array.isArray(value) || keys[at]!.length > MAX_NAME ? "" : keys[at]!);
  }
}

import { type Canonical, canonicalOf } from "./canonical.ts";
import { type Digest, digestOf } from "./digest.ts";
import type { Platform } from "./platform.ts";

/** What is kept of a call's arguments until somebody asks for their words: text that was written down, never at rest. */
export type ArgumentText = Canonical;

interface CallIdentity {
  /** Tool and arguments, to the letter. */
  readonly digest: Digest;
  readonly args: ArgumentText;
}

const MAX_TOOL_NAME = 1024;
const KEPT = 512;

/** The exact identity of a call. Undefined if the arguments cannot be compared. */
export function callIdentity(tool: string, args: unknown, platform: Platform): CallIdentity | undefined {
  if (tool.length > MAX_TOOL_NAME || typeof args === "function") return undefined;
  const hasFields = typeof args === "object" && args !== null && (platform.isProxy(args) || !Array.isArray(args));
  const written = canonicalOf(hasFields ? args : { value: args }, platform, tool);
  if (written === undefined) return undefined;
  return { digest: digestOf(hasFields ? written.text : `${written.text}!`), args: beginningOf(written) };
}

/** The beginning of the arguments, copied: joining copies, a slice alone would hold on to the whole. */
function beginningOf(written: Canonical): ArgumentText {
  const { text, fields } = written;
  const start = fields[0] ?? written.end;
  const end = Math.min(written.end, start + KEPT);
  if (text.length <= 2 * KEPT) return { text, end, fields };
  return {
    text: [text.slice(0, start), text.slice(start, end)].join(""),
    end,
    fields: fields.filter((at) => at < end),
  };
}

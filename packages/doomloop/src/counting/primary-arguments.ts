import { canonicalOf, pick } from "../core/identity/canonical.ts";
import { type Digest, digestOf, digestOfAll } from "../core/identity/digest.ts";
import type { Platform } from "../core/identity/read-object.ts";
import { type CallReading, commandOf } from "../core/progress/read-call.ts";

/** The arguments that say what a call asks for. All others say how. */
const PRIMARY = ["path", "file_path", "command", "pattern", "query", "url", "content", "filename", "offset", "limit"];
/** A command with one of these does more than show a file. */
const JOINED = /[|<>;&]/;

/**
 * The identity of a call by its primary arguments; for a command that only shows a file, by that file. Undefined if it has no such
 * arguments, or none that can be compared: then it is similar only to its equals.
 */
export function primaryIdentity({ tool, args, command, subject }: CallReading, platform: Platform): Digest | undefined {
  const isFileRead = command !== undefined && subject !== undefined && subject !== command;
  if (isFileRead && !JOINED.test(commandOf(args) ?? "")) return digestOfAll("file read", subject);
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  const primary = pick(args, PRIMARY);
  if (Object.keys(primary).length === 0) return undefined;
  const written = canonicalOf(primary, platform, `primary ${tool}`);
  return written === undefined ? undefined : digestOf(written.text);
}

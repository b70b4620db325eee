import type { DeclaredIdentity } from "../tool-rule.ts";
import { canonicalOf, type Platform, pick } from "./canonical.ts";
import { type Digest, digestOf, digestOfAll } from "./digest.ts";
import { PAGING_FIELDS } from "./paging-fields.ts";

/** The arguments that say what a call is about; the others say how. */
const PRIMARY_FIELDS: ReadonlySet<string> = new Set(
  "path file_path filePath filename file command cmd pattern query q url uri content offset limit".split(" "),
);

/** Names of values that are made for one call: `request_id`, `traceId`, `etag`. */
const NAMES_ONE_TIME =
  /^(?:(?:request|trace|span|correlation|transaction|invocation|idempotency)[_-]?(?:id|key)|nonce|etag|csrf_?token)$/i;
/** The range of lines in a `sed -n 1,9p`. */
const LINE_RANGE = /\d{1,9},\d{1,9}p/;
const MAX_COMMAND = 4096;

/** A call, and what was read from it. */
export interface ReadCall {
  readonly tool: string;
  readonly args: unknown;
  /** What it does: `look`, `change`, `page` or something else. */
  readonly kind: string;
  /** The one file that it is about. */
  readonly file: string | undefined;
  /** What a command comes to, whatever it is wrapped in. */
  readonly substance: string | undefined;
}

/**
 * The digest under which calls that are the same in substance meet: tool family and primary arguments.
 *
 * Undefined where it would say no more than the exact call: then only equal calls are the same.
 */
export function fingerprintOf(
  call: ReadCall,
  declared: DeclaredIdentity | undefined,
  platform: Platform,
): Digest | undefined {
  const { tool, args, kind, file, substance } = call;
  if (typeof declared === "function") return digestOfValue(`declared ${tool}`, declared(args), platform);
  if (declared === undefined) {
    if (file !== undefined && kind === "look") return digestOfAll("file read", plainPath(file));
    if (substance !== undefined) return digestOfAll("command", substance);
    // Another change of the same thing is another change.
    if (kind === "change") return undefined;
  }
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  if (declared !== undefined) return digestOfFields(`declared ${tool}`, pick(args, declared), platform);
  if (Array.isArray(args)) return undefined;
  const names = Object.keys(args);
  if (kind === "page") return digestOfAction(tool, pick(args, names), platform);
  const lasting = names.filter((name) => !NAMES_ONE_TIME.test(name));
  if (lasting.length < names.length) return digestOfValue(`lasting ${tool}`, pick(args, lasting), platform);
  const primary = pick(
    args,
    names.filter((name) => PRIMARY_FIELDS.has(name)),
  );
  return Object.keys(primary).length < names.length ? digestOfFields(tool, primary, platform) : undefined;
}

/** The identity of one part of what a call reads: the file's, with the range or page that is asked for. */
export function partOf(whole: Digest, args: unknown, platform: Platform): Digest {
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return whole;
  const parts = pick(
    args,
    Object.keys(args).filter((name) => PAGING_FIELDS.has(name)),
  );
  const { command } = pick(args, ["command"]);
  const range = typeof command === "string" ? LINE_RANGE.exec(command.slice(0, MAX_COMMAND)) : null;
  if (range !== null) parts.command = range[0];
  return digestOfFields(whole, parts, platform) ?? whole;
}

/** `./a//b/` and `a/b` are one file. */
export function plainPath(path: string): string {
  let plain = path.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
  while (plain.startsWith("./")) plain = plain.slice(2);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}

function digestOfValue(name: string, value: unknown, platform: Platform): Digest | undefined {
  const written = value === undefined ? undefined : canonicalOf(value, platform, name);
  return written === undefined ? undefined : digestOf(written.text);
}

/** Undefined where there are no such fields, or one of them cannot be compared. */
function digestOfFields(name: string, fields: Record<string, unknown>, platform: Platform): Digest | undefined {
  return Object.keys(fields).length === 0 ? undefined : digestOfValue(name, fields, platform);
}

/** How browsers that are driven by tools name the elements of a page: `e52`, `f1e3`, `1_23`; and numerals. */
const ELEMENT = /^(?:[a-z]{1,2}\d{1,6}|f\d{1,3}e\d{1,6}|\d{1,6}_\d{1,6}|[\d.,-]{1,20})$/;

/** An action on a page: the same whatever number the element bears this time, and whatever number is filled in. */
function digestOfAction(tool: string, fields: Record<string, unknown>, platform: Platform): Digest | undefined {
  let numbers = 0;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "number" && !(typeof value === "string" && ELEMENT.test(value))) continue;
    fields[name] = 0;
    numbers++;
  }
  return numbers > 0 ? digestOfValue(`action ${tool}`, fields, platform) : undefined;
}

import type { Reading } from "../reading.ts";
import type { DeclaredIdentity } from "../tool-rule.ts";
import { canonicalOf, pick } from "./canonical.ts";
import { type Digest, digestOf, digestOfAll } from "./digest.ts";
import { PAGING_FIELDS } from "./paging-fields.ts";
import type { Platform } from "./platform.ts";

/** The arguments that say what a call is about, for those who compare nothing else. */
const PRIMARY_FIELDS = namesOf(
  "path file_path filePath filename file command cmd pattern query q url uri content offset limit",
);

/**
 * Arguments that are known not to change what is asked for: why it is asked, how long it may take, how often it was tried, and what is made
 * for one call. Every other argument belongs to the call.
 */
const INCIDENTAL_FIELDS = namesOf(
  `description explanation reason reasoning rationale justification purpose intent timeout timeout_ms timeoutMs timeout_s timeout_seconds
   requires_approval security_risk verbose attempt attempt_number try retry retries retry_count seq sequence timestamp ts`,
);
const NAMES_ONE_TIME =
  /^(?:(?:request|trace|span|correlation|transaction|invocation|idempotency)[_-]?(?:id|key)|nonce|etag|csrf_?token)$/i;
/** The range of lines in a `sed -n 1,9p`. */
const LINE_RANGE = /\d{1,9},\d{1,9}p/;
const MAX_COMMAND = 4096;

/** Which arguments make two calls the same: all but the incidental ones, those that a tool's rule declares, or the primary ones alone. */
export interface IdentityRules {
  readonly declared: DeclaredIdentity | undefined;
  readonly isPrimary: boolean;
}

/** A call, and what was read from it. */
export interface ReadCall {
  readonly tool: string;
  readonly args: unknown;
  readonly reading: Pick<Reading, "act" | "isPage">;
  /** The one file that it is about. */
  readonly file: string | undefined;
  /** What a command comes to, whatever it is wrapped in, and where it runs, if its call says so. */
  readonly substance: string | undefined;
  readonly place: string | undefined;
}

/**
 * The digest under which calls that are the same in substance meet.
 *
 * Undefined where it would say no more than the exact call: then only equal calls are the same.
 */
export function fingerprintOf(
  call: ReadCall,
  { declared, isPrimary }: IdentityRules,
  platform: Platform,
): Digest | undefined {
  const { tool, args, file, substance, place = "" } = call;
  const { act, isPage } = call.reading;
  if (typeof declared === "function") return digestOfValue(`declared ${tool}`, declared(args), platform);
  if (declared === undefined) {
    if (file !== undefined && (act === "looks" || act === "watches"))
      return digestOfAll("file read", plainPath(file), place);
    if (substance !== undefined) return digestOfAll("command", substance, place);
    // Another text that is written or said is another.
    if (act === "writes" || act === "says") return lasting(tool, args, platform);
  }
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  if (declared !== undefined) return digestOfFields(`declared ${tool}`, pick(args, declared), platform);
  if (Array.isArray(args)) return undefined;
  const names = Object.keys(args);
  if (isPage) return digestOfAction(tool, pick(args, names), platform);
  if (!isPrimary) return lasting(tool, args, platform);
  const primary = pick(
    args,
    names.filter((name) => PRIMARY_FIELDS.has(name)),
  );
  return Object.keys(primary).length < names.length ? digestOfFields(tool, primary, platform) : undefined;
}

/** A call without its incidental arguments; undefined if it has none. */
function lasting(tool: string, args: unknown, platform: Platform): Digest | undefined {
  if (typeof args !== "object" || args === null || Array.isArray(args) || platform.isProxy(args)) return undefined;
  const names = Object.keys(args);
  const kept = names.filter((name) => !isIncidental(name));
  return kept.length < names.length ? digestOfValue(`lasting ${tool}`, pick(args, kept), platform) : undefined;
}

/** Where a command runs, if its call says so beside the command: another host, pod or folder is another command. */
export function placeOf(args: unknown, platform: Platform): string | undefined {
  if (typeof args !== "object" || args === null || Array.isArray(args) || platform.isProxy(args)) return undefined;
  const names = Object.keys(args).filter((name) => !COMMAND_FIELDS.has(name) && !isIncidental(name));
  return names.length === 0 ? undefined : digestOfValue("place", pick(args, names), platform);
}

const COMMAND_FIELDS = namesOf("command cmd script input");

function isIncidental(name: string): boolean {
  return INCIDENTAL_FIELDS.has(name) || NAMES_ONE_TIME.test(name);
}

function namesOf(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
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

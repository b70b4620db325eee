import { wordSet } from "../collections/word-list.ts";
import type { Reading } from "../reading.ts";
import type { DeclaredIdentity } from "../tool-rule.ts";
import { canonicalOf, pick } from "./canonical.ts";
import { type Digest, digestOf, digestOfAll } from "./digest.ts";
import type { Platform } from "./platform.ts";

/** The arguments that say what a call is about, for `comparedArguments: "primary"`. */
const PRIMARY_FIELDS = wordSet(
  "path file_path filePath filename file command cmd pattern query q url uri content offset limit",
);
/**
 * Arguments that do not change what is asked for: why it is asked, how long it may take, how often it was tried, and ids made for one
 * call. Every other argument belongs to the call.
 */
const INCIDENTAL_FIELDS = wordSet(
  `description explanation reason reasoning rationale justification purpose intent timeout timeout_ms timeoutMs timeout_s timeout_seconds
   requires_approval security_risk verbose attempt attempt_number try retry retries retry_count seq sequence timestamp ts`,
);
const ONE_TIME_NAME =
  /^(?:(?:request|trace|span|correlation|transaction|invocation|idempotency)[_-]?(?:id|key)|nonce|etag|csrf_?token)$/i;
const COMMAND_FIELDS = wordSet("command cmd script input");
/** Fields that choose a part of a whole. Another value there asks for something new. */
export const PAGING_FIELDS = wordSet(
  `offset limit page start end cursor line lines from to skip after before range view_range viewRange line_number start_line end_line
   startLine endLine first last count index position pageToken page_token chunk part`,
);
/** The range of lines in `sed -n 1,9p`. */
const LINE_RANGE = /\d{1,9},\d{1,9}p/;
const MAX_COMMAND = 4096;
/** How tools that drive a browser name the elements of a page: `e52`, `f1e3`, `1_23`; and numbers. */
const ELEMENT = /^(?:[a-z]{1,2}\d{1,6}|f\d{1,3}e\d{1,6}|\d{1,6}_\d{1,6}|[\d.,-]{1,20})$/;

/** Which arguments make two calls the same: those that a tool's rule declares, the primary ones, or all but the incidental ones. */
export interface IdentityRules {
  readonly declared: DeclaredIdentity | undefined;
  readonly isPrimary: boolean;
}

/** A call, and what was read from it. */
interface ReadCall {
  readonly tool: string;
  readonly args: unknown;
  readonly reading: Pick<Reading, "act" | "isPage">;
  /** The one file that it is about. */
  readonly file: string | undefined;
  /** What a command amounts to, whatever it is wrapped in. */
  readonly substance: string | undefined;
  /** Where a command runs, if its call says so. */
  readonly place: string | undefined;
}

/**
 * The digest that calls share if they are the same in substance.
 *
 * Undefined if it would say no more than the exact call: then only equal calls are the same.
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
    // Another text that is written or said makes another call.
    if (act === "writes" || act === "says") return withoutIncidentals(tool, args, platform);
  }
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  if (declared !== undefined) return digestOfFields(`declared ${tool}`, pick(args, declared), platform);
  if (Array.isArray(args)) return undefined;
  const names = Object.keys(args);
  if (isPage) return digestOfAction(tool, pick(args, names), platform);
  if (!isPrimary) return withoutIncidentals(tool, args, platform);
  const primary = names.filter((name) => PRIMARY_FIELDS.has(name));
  return primary.length < names.length ? digestOfFields(tool, pick(args, primary), platform) : undefined;
}

/** A call without its incidental arguments; undefined if it has none. */
function withoutIncidentals(tool: string, args: unknown, platform: Platform): Digest | undefined {
  if (!hasNames(args, platform)) return undefined;
  const names = Object.keys(args);
  const kept = names.filter((name) => !isIncidental(name));
  return kept.length < names.length ? digestOfValue(`lasting ${tool}`, pick(args, kept), platform) : undefined;
}

/** Where a command runs, if its call says so: in another folder, pod or host it is another command. */
export function placeOf(args: unknown, platform: Platform): string | undefined {
  if (!hasNames(args, platform)) return undefined;
  const names = Object.keys(args).filter((name) => !COMMAND_FIELDS.has(name) && !isIncidental(name));
  return names.length === 0 ? undefined : digestOfValue("place", pick(args, names), platform);
}

/** The identity of one part of what a call reads: the file, with the range or page that is asked for. */
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

/** An action on a page is the same whatever number its element has now, and whatever number is filled in. */
function digestOfAction(tool: string, fields: Record<string, unknown>, platform: Platform): Digest | undefined {
  let numbers = 0;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== "number" && !(typeof value === "string" && ELEMENT.test(value))) continue;
    fields[name] = 0;
    numbers++;
  }
  return numbers > 0 ? digestOfValue(`action ${tool}`, fields, platform) : undefined;
}

/** Undefined if there are no such fields, or one of them cannot be compared. */
function digestOfFields(name: string, fields: Record<string, unknown>, platform: Platform): Digest | undefined {
  return Object.keys(fields).length === 0 ? undefined : digestOfValue(name, fields, platform);
}

function digestOfValue(name: string, value: unknown, platform: Platform): Digest | undefined {
  const written = value === undefined ? undefined : canonicalOf(value, platform, name);
  return written === undefined ? undefined : digestOf(written.text);
}

function hasNames(args: unknown, platform: Platform): args is object {
  return typeof args === "object" && args !== null && !Array.isArray(args) && !platform.isProxy(args);
}

function isIncidental(name: string): boolean {
  return INCIDENTAL_FIELDS.has(name) || ONE_TIME_NAME.test(name);
}

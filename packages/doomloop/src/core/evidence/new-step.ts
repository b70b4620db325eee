import { compact, pushLatest } from "../collections/bounded.ts";
import type { CallEvent } from "../event.ts";
import { readArguments, toolLabel } from "../identity/call-identity.ts";
import { type Canonical, canonicalOf, pick } from "../identity/canonical.ts";
import { type Digest, digestOf, digestOfAll, FNV_START, fnv, uniqueDigest } from "../identity/digest.ts";
import type { Platform } from "../identity/read-object.ts";
import { readWords } from "../identity/stems.ts";
import { mark } from "../memory/marks.ts";
import { keptId } from "../memory/open-calls.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Step, StepScope } from "../memory/step.ts";
import { timeOf } from "../outcome/read-outcome.ts";
import { isVolatileAt } from "../outcome/volatile.ts";
import type { DeclaredIdentity } from "../policy/tool-rules.ts";
import {
  type CallReading,
  COMMAND_FIELDS,
  FILE_FIELDS,
  fieldsOf,
  fieldValue,
  readCall,
} from "../progress/read-call.ts";
import { PAUSE_TIMES_MEDIAN, SHORTEST_PAUSE_MS } from "./numbers.ts";
import { isNamed } from "./request.ts";

/** Arguments that do not change what is asked for: why, for how long, how often it was tried, ids made for one call. */
const INCIDENTAL =
  /^(?:description|explanation|reason(?:ing)?|rationale|justification|purpose|intent|time_?out\w{0,12}|requires_approval|security_risk|verbose|attempt\w{0,12}|try|retr\w{0,12}|seq(?:uence)?|timestamp|ts|now|_|nonce|etag|(?:request|trace|span|correlation|transaction|invocation|idempotency)_?(?:id|key))$/i;
const MAX_FIELDS = 24;
const MAX_SAID = 64;
/** How much of a value is hashed, and of all values is read. */
const HASHED = 512;
const READ = 2_000;
/** What is longer is compared as it is: a path, and all that a call is about. */
const LONGEST_PATH = 4_096;
const LONGEST_SUBJECT = 65_536;

/** What is compared of the arguments. */
interface ArgumentParts {
  readonly key: Digest;
  readonly values: string;
  readonly fields: readonly number[];
  /** A hash of the one with the most words. */
  readonly saying: number;
  /** What a command comes with: where it runs. */
  readonly beside: string;
}

/** What the host says about the tool. */
export interface StepTerms {
  readonly changes: boolean | undefined;
  /** What makes two of its calls the same. */
  readonly identity: DeclaredIdentity | undefined;
  readonly isPoll: boolean;
  readonly isWayOut: boolean | undefined;
  readonly patienceMs: number;
  /** Whose world the call is about; undefined if the run is in no fleet. */
  readonly scopeOf: ((read: CallReading) => StepScope) | undefined;
}

/** The step that begins with a call. */
export function newStep(run: RunState, event: CallEvent, terms: StepTerms, platform: Platform): Step {
  const args = readArguments(event.args);
  const hasFields = typeof args === "object" && args !== null && !platform.isProxy(args) && !Array.isArray(args);
  const written = canonicalOf(hasFields ? args : { value: args }, platform, event.tool);
  const isRead = written !== undefined && !written.isLarge;
  const read = readCall(event.tool, isRead ? args : undefined, terms.changes);
  const call =
    written === undefined ? uniqueDigest("call", run.calls) : digestOf(hasFields ? written.text : `${written.text}!`);
  const parts = isRead ? partsOf(written, read, call) : { key: call, values: "", fields: [], saying: 0, beside: "" };
  const key = declaredKey(event.tool, args, terms, platform) ?? parts.key;
  const words = readWords(parts.values);
  const at = timeOf(event.at);
  const isNewCall = mark(run.met, hashWith(1, key));
  return {
    index: run.calls,
    round: run.round,
    tool: toolLabel(read.tool),
    call,
    key,
    substance: substanceOf(read, parts),
    isComparable: written !== undefined,
    isNewCall,
    at,
    isPaused: isPause(run, at, isNewCall),
    gapMs: gapBefore(run, at),
    effect: read.effect,
    isCommand: read.command !== undefined,
    isFileRead: read.subject !== undefined && read.subject !== read.command,
    isFileWork: read.isFileWork,
    isNewFile: isNewFile(run, read),
    isWayOut: terms.isWayOut ?? read.isWayOut,
    brings: read.brings,
    waitMs: read.waitMs,
    stems: compact(words.stems),
    fields: compact(parts.fields),
    saying: parts.saying,
    numbers: compact(words.numbers),
    shape: words.shape,
    isGiven: isGiven(run, read),
    scope: terms.scopeOf?.(read),
    isPoll: terms.isPoll,
    patienceMs: terms.patienceMs,
    id: keptId(event.id),
    isRefused: false,
    isSeen: false,
    value: "",
    isSoft: false,
    raw: 0,
    length: 0,
    failure: undefined,
    isNo: false,
    isNothing: false,
    isSynthetic: false,
    pieces: 0,
    fresh: 0,
    isFirst: false,
    tookMs: 0,
    isNews: false,
    isChange: false,
    added: 0,
    reason: undefined,
    repeats: 1,
    isExcused: false,
  };
}

/** Whether a call writes to a file that the run has not written to yet. */
function isNewFile(run: RunState, { effect, path }: CallReading): boolean {
  return effect === "write" && path !== undefined && mark(run.met, hashWith(4, plainPath(path)));
}

/** The fields that the host's rule names. If there is none of them, all calls would be the same, so the rule does not hold. */
export function namedFields(args: unknown, names: readonly string[], platform: Platform): object | undefined {
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  const fields = pick(args, names);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** What the host's rule says makes two calls the same. */
function declaredKey(tool: string, args: unknown, { identity }: StepTerms, platform: Platform): Digest | undefined {
  if (identity === undefined) return undefined;
  const value = typeof identity === "function" ? identity(args) : namedFields(args, identity, platform);
  const written = value === undefined ? undefined : canonicalOf(value, platform, `declared ${tool}`);
  return written === undefined ? undefined : digestOf(written.text);
}

/** Cuts the arguments into their fields, without the incidental ones. A command stands for what it amounts to. */
function partsOf(written: Canonical, read: CallReading, call: Digest, keepsAll = false): ArgumentParts {
  const { text, end, fields } = written;
  const { command, tool } = read;
  const hashes: number[] = [];
  let values = "";
  let kept = tool;
  let beside = "";
  let saying = 0;
  let words = 0;
  let isWhole = command === undefined;
  for (let at = 0; at < fields.length && at < MAX_FIELDS; at++) {
    const stop = fields[at + 1] ?? end;
    const nameEnd = text.indexOf("\n", fields[at]);
    const name = text.slice(fields[at], nameEnd);
    if (!keepsAll && isIncidental(name)) {
      isWhole = false;
      continue;
    }
    const isCommand = command !== undefined && (COMMAND_FIELDS.includes(name) || fields.length === 1);
    const given = text.slice(nameEnd + 1, stop);
    const value = isCommand ? command : withoutCacheBuster(given);
    if (value !== given) isWhole = false;
    const hash = hashOf(value, hashOf(name, FNV_START)) & 0xffff;
    hashes.push(hash);
    const said = wordsIn(value);
    if (said > words) {
      words = said;
      saying = hash;
    }
    if (values.length < READ) values += `${value.slice(0, READ)} `;
    const field = `\n${name}\n${value}`;
    kept += field;
    if (!isCommand && saysWhichOne(name, value)) beside += field;
  }
  // If there is nothing else, it is what the call is about.
  if (hashes.length === 0 && fields.length > 0) return partsOf(written, read, call, true);
  return { key: isWhole ? call : digestOf(kept), values, fields: hashes, saying, beside };
}

const NAME = /^(?=[\d.-]{0,200}[^\d\s.-])\S{1,200}\s$/;

/**
 * Whether an argument beside a path says which of several files of that name is meant: its repository, branch or host. Numbers say which
 * part of it, and a sentence says why.
 */
function saysWhichOne(name: string, value: string): boolean {
  return !FILE_FIELDS.includes(name) && NAME.test(value) && !isVolatileAt(value, 0, value.length - 1, false);
}

/** How many words a value has, up to a number that makes it the longest. */
function wordsIn(value: string): number {
  let count = 1;
  for (let at = value.indexOf(" "); at >= 0 && count < MAX_SAID; at = value.indexOf(" ", at + 1)) count++;
  return count;
}

/** Whether an argument of this name does not change what is asked for. */
export function isIncidental(name: string): boolean {
  const known = incidental.get(name);
  if (known !== undefined || name.length > LONGEST_INCIDENTAL) return known === true;
  if (incidental.size > 256) incidental.clear();
  const isOne = INCIDENTAL.test(name);
  incidental.set(name, isOne);
  return isOne;
}
/** A host has few names of arguments, so each is tried once. */
const incidental = new Map<string, boolean>();
const LONGEST_INCIDENTAL = 64;

/** What the call is about: a file, a command in substance, an action on a page whatever number its element has now. */
function substanceOf({ tool, effect, subject }: CallReading, { values, beside }: ArgumentParts): Digest | undefined {
  if (effect === "move") return digestOfAll(tool, values.slice(0, HASHED).replace(/\b[a-z]{0,2}\d{1,12}\b/g, "0"));
  return subject === undefined || subject.length > LONGEST_SUBJECT
    ? undefined
    : digestOf(`${plainPath(subject)}${beside}`.replace(SECONDS_SINCE_1970, "0"));
}

/** What keeps an address from being served from a cache. */
const CACHE_BUSTER = /([?&](?:_|t|ts|cb|nocache|rand|random|nonce)=)[\w.]{4,40}/g;

function withoutCacheBuster(value: string): string {
  return value.includes("?") ? value.replace(CACHE_BUSTER, "$1") : value;
}

const SECONDS_SINCE_1970 = /\b1[5-9]\d{8}(?:\d{3})?\b/g;

/** `./a//b/` and `a/b` are one file. */
function plainPath(path: string): string {
  if (path.length > LONGEST_PATH) return path;
  let plain = path.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
  while (plain.startsWith("./")) plain = plain.slice(2);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}

/** Whether the user has named all texts of a call. */
function isGiven(run: RunState, { args }: CallReading): boolean {
  if (typeof args !== "object" || args === null) return false;
  const fields = fieldsOf(args);
  let texts = 0;
  for (const name of Object.keys(fields).slice(0, MAX_FIELDS)) {
    const text = fieldValue(fields, name);
    if (typeof text !== "string") continue;
    if (text.length < 3 || text.length > 200 || !isNamed(run, text)) return false;
    texts++;
  }
  return texts > 0;
}

/** A model whose pace is not known may think for this long. */
const LONGEST_THOUGHT_MS = 30_000;
/** How long a run takes to think is known once it has made so many new calls. */
const FEWEST_GAPS = 2;
const MAX_GAPS = 15;

/** Notes the time of a call, and returns whether it comes after a pause. New calls show how long the run takes to think. */
function isPause(run: RunState, at: number | undefined, isNewCall: boolean): boolean {
  if (at === undefined || run.lastAt === undefined) return false;
  const gapMs = Math.max(0, at - run.lastAt);
  const isLong = gapMs >= SHORTEST_PAUSE_MS && gapMs >= leastPauseMs(run.gaps);
  if (isNewCall) pushLatest(run.gaps, gapMs, MAX_GAPS);
  return isLong;
}

function leastPauseMs(gaps: readonly number[]): number {
  return gaps.length >= FEWEST_GAPS ? PAUSE_TIMES_MEDIAN * medianOf([...gaps]) : LONGEST_THOUGHT_MS;
}

function medianOf(numbers: number[]): number {
  return numbers.sort((one, other) => one - other)[(numbers.length - 1) >> 1]!;
}

function gapBefore(run: RunState, at: number | undefined): number {
  const before = run.calledAt;
  run.calledAt = at ?? before;
  return at === undefined || before === undefined ? 0 : Math.max(0, at - before);
}

/** A hash of 32 bits for one of several uses. */
export function hashWith(use: number, text: string): number {
  return hashOf(text, fnv(FNV_START, use));
}

function hashOf(text: string, start: number): number {
  let hash = start;
  const end = Math.min(text.length, HASHED);
  for (let at = 0; at < end; at++) hash = fnv(hash, text.charCodeAt(at));
  return fnv(hash, text.length);
}

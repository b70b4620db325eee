import type { CallEvent } from "../event.ts";
import { hashOf, idOf } from "../hash.ts";
import type { CallHint, Fields } from "../hints/calls.ts";
import type { Hints } from "../hints/index.ts";
import { FIRST, mixed } from "../hints/words.ts";
import { readArguments } from "../identity/call-identity.ts";
import { canonicalOf, MAX_TEXT, pick } from "../identity/canonical.ts";
import { type Digest, digestOfAll } from "../identity/digest.ts";
import { MAX_FIELDS, type Platform, readObject } from "../identity/read-object.ts";
import type { DeclaredIdentity } from "../policy/tool-rules.ts";

/** What events are read with. */
export interface Reader {
  readonly hints: Hints;
  readonly platform: Platform;
}

/** What a call asks for: hashes, no words. */
export interface CallReading {
  readonly hint: CallHint;
  /** Equal for calls that ask for the same in the same way; and in any way, 0 if that is not known. */
  readonly call: number;
  readonly subject: number;
  /** The same as `call`, with values that a result has brought called after where they came from. */
  readonly turn: number;
  /** Stems of its words; a hash of all that is neither a word nor a number; all words as they are. */
  readonly stems: readonly number[];
  readonly shape: number;
  readonly said: readonly number[];
  /** The arguments can be compared. If not, the call equals no other. */
  readonly isComparable: boolean;
  /** The same as a digest, without incidental arguments and with all of them: made where somebody asks. */
  readonly fingerprint: Digest | undefined;
  readonly strict: Digest | undefined;
}

/** Which digests of a call are needed beside its hashes. */
export interface NeededDigests {
  readonly needsFingerprint: boolean;
  readonly needsStrict: boolean;
}

const MOST_FIELDS = 24;
const MOST_STEMS = 40;
/** How much of the values is read word by word. */
const READ = 1_500;
const STEM_LETTERS = 5;
const SHORTEST_WORD = 3;
const LONGEST_PATH = 4_096;
const LONGEST_TOOL = 1_024;
const MOST_WORDS = 64;

const PRIME = 0x01000193;

/** Reads a call. `originOf`: what a word that a result of this run has brought is called after; 0: it came from elsewhere. */
export function readCall(
  event: CallEvent,
  { hints, platform }: Reader,
  { identity, needsFingerprint, needsStrict }: NeededDigests & { readonly identity: DeclaredIdentity | undefined },
  originOf: (word: number) => number,
): CallReading {
  const given = readArguments(event.args);
  const { tool } = event;
  const read = readFields(given, platform);
  const fields = typeof read === "string" ? NO_FIELDS : read;
  const hint = hints.call(tool, fields, given);
  const named = declared(given, identity, platform);
  const written =
    tool.length > LONGEST_TOOL
      ? undefined
      : (asWritten(named) ?? writtenOf(given, read, hint.command, { hints, platform }));
  const isComparable = written !== undefined;
  const { text, values } = written ?? NOT_WRITTEN;
  const words = readArgumentWords(values.slice(0, READ), originOf);
  const toolHash = hashOf(tool);
  const call = isComparable ? idOf(toolHash, hashOf(text)) : 0;
  return {
    hint,
    call,
    subject:
      hint.subject === undefined || !isComparable ? 0 : hashOf(plainPath(hint.subject) + besides(hint, fields, hints)),
    turn: words.hasOrigin ? idOf(toolHash, words.turn) : call,
    stems: words.stems,
    shape: idOf(toolHash, words.shape),
    said: words.said,
    isComparable,
    fingerprint: needsFingerprint && isComparable ? digestOfAll(tool, text) : undefined,
    strict: needsStrict && isComparable ? strictly(tool, named ?? canonicalOf(given, platform)?.text) : undefined,
  };
}

function strictly(tool: string, text: string | undefined): Digest | undefined {
  return text === undefined ? undefined : digestOfAll(tool, text);
}

/** What the host's rule says makes two calls the same. */
function declared(args: unknown, identity: DeclaredIdentity | undefined, platform: Platform): string | undefined {
  if (identity === undefined) return undefined;
  const value = typeof identity === "function" ? identity(args) : namedFields(args, identity, platform);
  return value === undefined ? undefined : canonicalOf(value, platform, "declared")?.text;
}

/** The fields that the host's rule names. If there is none of them, all calls would be the same, so the rule does not hold. */
export function namedFields(args: unknown, names: readonly string[], platform: Platform): object | undefined {
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  const fields = pick(args, names);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** The arguments as a text, without the incidental ones. A command stands for what it amounts to. Undefined if they cannot be compared. */
function writtenOf(
  args: unknown,
  read: ReadFields,
  command: string | undefined,
  { hints, platform }: Reader,
): Written | undefined {
  if (read === "unreadable") return undefined;
  const names = read === "many" ? [] : Object.keys(read);
  if (names.length === 0)
    return asWritten(command !== undefined && command.length <= MAX_TEXT ? command : canonicalOf(args, platform)?.text);
  const fields = read as Fields;
  let text = "";
  let values = "";
  let left = 0;
  for (const name of names.sort()) {
    if (hints.isIncidental(name)) {
      left++;
      continue;
    }
    const value = command !== undefined && isCommandField(name) ? command : valueText(fields[name], platform);
    if (value === undefined) return undefined;
    text += `${name}:${value.length}\n${value}\n`;
    if (values.length < READ) values += `${value.slice(0, READ)}\n`;
  }
  // If there is nothing else, it is what the call is about.
  return left === names.length ? asWritten(canonicalOf(args, platform)?.text) : { text, values };
}

/** Arguments as a text, and only what their fields hold: calls are not alike because a tool names its fields alike. */
interface Written {
  readonly text: string;
  readonly values: string;
}

function asWritten(text: string | undefined): Written | undefined {
  return text === undefined ? undefined : { text, values: text };
}

/** The fields of arguments that have names. `many`: they are compared as a whole · `unreadable`: there is no comparing them. */
type ReadFields = Fields | "many" | "unreadable";

const NO_FIELDS: Fields = Object.freeze({});
const NOT_WRITTEN: Written = { text: "", values: "" };

/** Reads fields without running code of theirs, so that whoever looks at them later need not take care. */
function readFields(given: unknown, platform: Platform): ReadFields {
  if (typeof given !== "object" || given === null) return NO_FIELDS;
  const read = readObject(given, platform);
  if (read === undefined) return "unreadable";
  if (read.by !== "fields" || Array.isArray(given)) return NO_FIELDS;
  const names = Object.keys(given);
  if (names.length > MOST_FIELDS) return names.length > MAX_FIELDS ? "unreadable" : "many";
  const fields: Record<string, unknown> = Object.create(null);
  for (const name of names) {
    const property = Object.getOwnPropertyDescriptor(given, name);
    if (property === undefined || !("value" in property)) return "unreadable";
    fields[name] = Array.isArray(property.value) ? wordsIn(property.value, platform) : property.value;
  }
  return fields;
}

/** A list of words as one that is safe to read; any other list as it is. */
function wordsIn(list: readonly unknown[], platform: Platform): unknown {
  if (platform.isProxy(list) || list.length > MOST_WORDS) return list;
  const words: string[] = [];
  for (let at = 0; at < list.length; at++) {
    const word: unknown = Object.getOwnPropertyDescriptor(list, at)?.value;
    if (typeof word !== "string") return list;
    words.push(word);
  }
  return words;
}

function isCommandField(name: string): boolean {
  return name === "command" || name === "cmd" || name === "script" || name === "input";
}

function valueText(value: unknown, platform: Platform): string | undefined {
  if (typeof value === "string") return value.length > MAX_TEXT ? undefined : value;
  if (typeof value === "number" || typeof value === "boolean" || value === null || value === undefined)
    return `\u0001${Object.is(value, -0) ? "-0" : String(value)}`;
  return canonicalOf(value, platform)?.text;
}

/** Arguments beside a path that say which of several files of that name is meant: its repository, branch or host. */
function besides({ command, subject }: CallHint, fields: Fields, hints: Hints): string {
  if (command !== undefined) return String(fields.workdir ?? fields.cwd ?? "");
  let text = "";
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    const isName = typeof value === "string" && value !== subject && value.length <= 200 && !/^[\d.\s-]*$|\s/.test(value);
    if (isName && !hints.isIncidental(name)) text += `\n${name}\n${value}`;
  }
  return text;
}

/** `./a//b/` and `a/b` are one file. */
function plainPath(path: string): string {
  if (path.length > LONGEST_PATH) return path;
  let plain = path.replaceAll("\\", "/").replace(/\/{2,}/g, "/");
  while (plain.startsWith("./")) plain = plain.slice(2);
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}

interface ArgumentWords {
  readonly stems: readonly number[];
  readonly said: readonly number[];
  readonly shape: number;
  readonly turn: number;
  readonly hasOrigin: boolean;
}

/** Reads the words of some values in one pass. */
function readArgumentWords(text: string, originOf: (word: number) => number): ArgumentWords {
  const stems: number[] = [];
  const said: number[] = [];
  let shape = FIRST;
  let turn = FIRST;
  let hasOrigin = false;
  let [word, bare, stem, letters, digits, wasLower] = [FIRST, 0, FIRST, 0, 0, false];
  const endStem = (): void => {
    if ((digits > 0 || letters >= SHORTEST_WORD) && stems.length < MOST_STEMS)
      stems.push((stem ^ (stem >>> 16)) & 0xffff);
    [stem, letters, digits] = [FIRST, 0, 0];
  };
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : 32;
    const isDigit = unit >= 48 && unit <= 57;
    const isUpper = unit >= 65 && unit <= 90;
    const isLetter = isUpper || (unit >= 97 && unit <= 122) || unit >= 128;
    if (isLetter || isDigit) {
      if (isLetter ? digits > 0 || (isUpper && wasLower) : letters > 0) endStem();
      if (isDigit) digits++;
      if (isDigit || letters++ < STEM_LETTERS) stem = mixed(stem, unit);
      word = mixed(word, unit);
      bare = word;
    } else {
      endStem();
      shape = Math.imul(shape ^ unit, PRIME);
      // A name may hold these: `T-300`, `a.b_c`.
      if (bare !== 0 && (unit === 45 || unit === 46 || unit === 95 || unit === 58 || unit === 39 || unit === 47))
        word = mixed(word, unit);
      else if (bare !== 0) {
        const origin = originOf(bare);
        if (origin !== 0) hasOrigin = true;
        turn = Math.imul(turn ^ (origin === 0 ? bare : origin | 0), PRIME);
        if (said.length < MOST_STEMS) said.push(bare);
        [word, bare] = [FIRST, 0];
      }
    }
    wasLower = isLetter && !isUpper;
  }
  return { stems, said, shape, turn, hasOrigin };
}

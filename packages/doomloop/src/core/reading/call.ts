import type { CallEvent } from "../event.ts";
import { hashOf, idOf } from "../hash.ts";
import type { CallHint, Fields } from "../hints/calls.ts";
import type { Hints } from "../hints/index.ts";
import { FIRST, mixed } from "../hints/words.ts";
import { readArguments } from "../identity/call-identity.ts";
import { canonicalOf, pick } from "../identity/canonical.ts";
import type { Platform } from "../identity/read-object.ts";
import type { DeclaredIdentity } from "../policy/tool-rules.ts";

/** What events are read with. */
export interface Reader {
  readonly hints: Hints;
  readonly platform: Platform;
}

/** What a call asks for: hashes, no words. */
export interface CallReading {
  /** The tool that is called: for a dispatcher, the inner one. */
  readonly tool: string;
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
}

const MOST_FIELDS = 24;
const MOST_STEMS = 40;
/** How much of the values is read word by word. */
const READ = 1_500;
const STEM_LETTERS = 5;
const SHORTEST_WORD = 3;
const LONGEST_PATH = 4_096;

const PRIME = 0x01000193;

/** Names of arguments that hold the name of another tool, as dispatchers have them: Composio, MCP proxies, tool routers. */
const INNER_NAMES = new Set(
  "tool tool_name toolName tool_id function function_name operation action method endpoint name".split(" "),
);

/** Reads a call. `originOf`: what a word that a result of this run has brought is called after; 0: it came from elsewhere. */
export function readCall(
  event: CallEvent,
  { hints, platform }: Reader,
  identity: DeclaredIdentity | undefined,
  originOf: (word: number) => number,
): CallReading {
  const given = readArguments(event.args);
  const hasFields = typeof given === "object" && given !== null && !Array.isArray(given) && !platform.isProxy(given);
  const [tool, args, beside] = hasFields ? lookThrough(event.tool, given as Fields) : [event.tool, given, ""];
  const fields = fieldsOf(args);
  const hint = hints.call(tool, fields, args);
  const written = declared(given, identity, platform) ?? writtenOf(args, fields, hint.command, { hints, platform });
  const isComparable = written !== undefined;
  const text = (written ?? "") + beside;
  const words = readArgumentWords(text.slice(0, READ), originOf);
  const named = hashOf(tool);
  const call = isComparable ? idOf(named, hashOf(text)) : 0;
  return {
    tool,
    hint,
    call,
    subject:
      hint.subject === undefined || !isComparable ? 0 : hashOf(plainPath(hint.subject) + besides(hint, fields, hints)),
    turn: words.hasOrigin ? idOf(named, words.turn) : call,
    stems: words.stems,
    shape: idOf(named, words.shape),
    said: words.said,
    isComparable,
  };
}

/** What the host's rule says makes two calls the same. */
function declared(args: unknown, identity: DeclaredIdentity | undefined, platform: Platform): string | undefined {
  if (identity === undefined) return undefined;
  const value = typeof identity === "function" ? identity(args) : namedFields(args, identity, platform);
  return value === undefined ? undefined : canonicalOf(value, platform, "declared")?.text;
}

/** The fields that the host's rule names. If there is none of them, all calls would be the same, so the rule does not hold. */
function namedFields(args: unknown, names: readonly string[], platform: Platform): object | undefined {
  if (typeof args !== "object" || args === null || platform.isProxy(args)) return undefined;
  const fields = pick(args, names);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

/** The arguments as a text, without the incidental ones. A command stands for what it amounts to. Undefined if they cannot be compared. */
function writtenOf(
  args: unknown,
  fields: Fields,
  command: string | undefined,
  { hints, platform }: Reader,
): string | undefined {
  const names = Object.keys(fields);
  if (names.length === 0 || names.length > MOST_FIELDS) {
    if (command !== undefined && names.length === 0) return command;
    return canonicalOf(args, platform)?.text;
  }
  let text = "";
  let left = 0;
  for (const name of names.sort()) {
    if (hints.isIncidental(name)) {
      left++;
      continue;
    }
    const property = Object.getOwnPropertyDescriptor(fields, name);
    if (property === undefined || !("value" in property)) return undefined;
    const value = command !== undefined && isCommandField(name) ? command : valueText(property.value, platform);
    if (value === undefined) return undefined;
    text += `${name}\n${value}\n`;
  }
  // If there is nothing else, it is what the call is about.
  return left === names.length ? canonicalOf(args, platform)?.text : text;
}

function isCommandField(name: string): boolean {
  return name === "command" || name === "cmd" || name === "script" || name === "input";
}

function valueText(value: unknown, platform: Platform): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean" || value === null) return `\u0001${String(value)}`;
  return value === undefined ? "" : canonicalOf(value, platform)?.text;
}

/** Arguments beside a path that say which of several files of that name is meant: its repository, branch or host. */
function besides({ command, subject }: CallHint, fields: Fields, hints: Hints): string {
  let text = "";
  if (command !== undefined) {
    const folder =
      Object.getOwnPropertyDescriptor(fields, "workdir")?.value ??
      Object.getOwnPropertyDescriptor(fields, "cwd")?.value;
    return typeof folder === "string" ? `\n${folder}` : "";
  }
  for (const name of Object.keys(fields)) {
    const value: unknown = Object.getOwnPropertyDescriptor(fields, name)?.value;
    if (
      typeof value === "string" &&
      value !== subject &&
      value.length <= 200 &&
      !/^[\d.\s-]*$|\s/.test(value) &&
      !hints.isIncidental(name)
    )
      text += `\n${name}\n${value}`;
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

/** A dispatcher carries another call: `execute { server, tool, params }`. Its inner name is the tool. The rest is text beside it. */
function lookThrough(tool: string, args: Fields): readonly [tool: string, args: unknown, beside: string] {
  let name: string | undefined;
  let inner: unknown;
  let beside = "";
  for (const key of Object.keys(args).slice(0, MOST_FIELDS)) {
    const value: unknown = Object.getOwnPropertyDescriptor(args, key)?.value;
    if (typeof value === "string" && INNER_NAMES.has(key) && /^[\w./:-]{1,64}$/.test(value)) name ??= value;
    else if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      if (inner !== undefined) return [tool, args, ""];
      inner = value;
    } else beside += `${key}\n${String(value)}\n`;
  }
  return name === undefined || inner === undefined ? [tool, args, ""] : [`${tool}.${name}`, inner, beside];
}

function fieldsOf(args: unknown): Fields {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? (args as Fields) : {};
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

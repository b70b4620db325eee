import type { ResultEvent } from "../event.ts";
import { canonicalOf } from "../identity/canonical.ts";
import { type Digest, digestOf, digestOfAll } from "../identity/digest.ts";
import type { Platform } from "../identity/platform.ts";
import { readObject } from "../identity/read-object.ts";
import { MESSAGE_PREFIX } from "../message-prefix.ts";
import { CURT_LENGTH } from "./answer-says.ts";
import { type Failure, readFailure } from "./read-failure.ts";

/** What a result says, as far as it is compared. */
export interface Outcome {
  /** Exact identity of the output; undefined if it cannot be compared, so that it equals nothing. */
  readonly digest: Digest | undefined;
  /** The output itself if it is text, else the words in it. */
  readonly text: string;
  /** Length of the whole output. */
  readonly length: number;
  /** The output holds more than text, such as a picture. Then only a digest from the host tells two outputs apart. */
  readonly holdsMore: boolean;
  readonly failure: Failure | undefined;
  /** Fewer than two visible characters, not counting what a harness wraps around them. */
  readonly isEmpty: boolean;
  /** It says that there is nothing to say: empty, an empty list, no matches. */
  readonly isNothing: boolean;
  /** A failure, or more than a few words: it means something if it comes back. */
  readonly isTelling: boolean;
  /** A substitute for the tool's answer. */
  readonly isSynthetic: boolean;
  /** When it came, if the host says so. */
  readonly at: number | undefined;
}

/** Longer outputs are not compared, so that reading one takes at most about ten milliseconds. */
const MAX_COMPARED = 8_388_608;
/** Outputs of this length are telling: it means something if one comes back. */
const TELLING_LENGTH = 200;

/** Reads a result. `comparedCharacters` limits equality to the beginning of the output. */
export function readOutcome(event: ResultEvent, platform: Platform, comparedCharacters: number | undefined): Outcome {
  const output = withoutOurWords(event.output, platform);
  const isText = typeof output === "string";
  const value = isText ? undefined : valueDigest(output, platform);
  const isOpaque = !isText && value === undefined;
  const text = isOpaque ? "" : outputText(output, platform);
  const told = typeof event.error === "boolean" ? event.error : undefined;
  const isError = told ?? (saysIsError(event.output, platform) ? true : undefined);
  const length = lengthOf(event.length) ?? text.length;
  const failure = event.synthetic === true ? undefined : readFailure(text, isError);
  const isEmpty = length < 2 || (text.length < TELLING_LENGTH && saysNoWord(text));
  return {
    digest: isOpaque ? undefined : outcomeDigest(event, text, value, comparedCharacters),
    text,
    length,
    // A digest of a text that was not cut is a digest of something else.
    holdsMore: givenDigest(event) !== undefined && length <= text.length,
    failure,
    isEmpty,
    isNothing: isEmpty || (text.length < CURT_LENGTH && SAYS_NOTHING.test(text.trim())),
    isTelling: failure !== undefined || length >= TELLING_LENGTH,
    isSynthetic: event.synthetic === true,
    at: timeOf(event.at),
  };
}

/** Harnesses wrap outputs in tags and exit codes: `<returncode>0</returncode>` without an output is empty. */
const ONLY_WRAPPING = /^(?:<[^<>\s]{1,30}>|[-\d\s]){1,120}$/;
const ONLY_EXIT_CODE =
  /^[\s[(]{0,4}(?:process )?exit(?:ed)?(?: with)?(?: code| status)?:? {0,2}-?\d{1,3}[\s\])]{0,4}$/i;

const SAYS_NOTHING =
  /^(?:\[\]|\{\}|null|none|nil|undefined|0|""|''|\(?0 [a-z]{2,20}\)?|no (?:results?|matches|matching|files?|rows|entries|records|data)\b.{0,80}|no [\w ]{1,40}(?:found|available))[.!]?$/i;

function saysNoWord(text: string): boolean {
  if (text.trim().length < 2) return true;
  return text.length < CURT_LENGTH && (text.startsWith("<") ? ONLY_WRAPPING : ONLY_EXIT_CODE).test(text);
}

function outcomeDigest(
  event: ResultEvent,
  text: string,
  value: Digest | undefined,
  comparedCharacters: number | undefined,
): Digest | undefined {
  if (comparedCharacters !== undefined) return digestOf(text.slice(0, comparedCharacters));
  const given = givenDigest(event);
  if (given !== undefined) return digestOfAll("digest", given);
  if (value !== undefined) return value;
  return text.length <= MAX_COMPARED ? digestOf(text) : undefined;
}

function givenDigest({ digest }: ResultEvent): string | undefined {
  return typeof digest === "string" && digest.length <= 1024 ? digest : undefined;
}

function valueDigest(value: unknown, platform: Platform): Digest | undefined {
  const written = canonicalOf(value, platform);
  return written === undefined ? undefined : digestOf(written.text);
}

/** Larger lengths are not believed. */
const MAX_OUTPUT_LENGTH = 1_000_000_000_000;

/** A time on the host's clock, if it is valid. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? Math.round(value) : undefined;
}

function lengthOf(length: unknown): number | undefined {
  return typeof length === "number" && length >= 0 ? Math.round(Math.min(length, MAX_OUTPUT_LENGTH)) : undefined;
}

const MAX_TEXT_OF_VALUE = 4096;
const MAX_VALUES_READ = 500;
const MAX_FIELD_NAME = 64;

/**
 * The words in an output that is not text: its values, each on a line with its name, within limits.
 *
 * Only for reading what the output says. Whether two outputs are equal is decided on the whole value.
 */
export function outputText(output: unknown, platform: Platform): string {
  if (typeof output === "string") return output;
  if (output === undefined || output === null) return "";
  const waiting: unknown[] = [output];
  const names: string[] = [""];
  const lines: string[] = [];
  let length = 0;
  for (let nodes = 0; waiting.length > 0 && nodes < MAX_VALUES_READ && length < MAX_TEXT_OF_VALUE; nodes++) {
    const value = waiting.pop();
    const name = names.pop()!;
    if (typeof value === "object" && value !== null) {
      pushChildren(waiting, names, value, platform);
      continue;
    }
    const words =
      typeof value === "symbol" || typeof value === "function" ? "" : String(value).slice(0, MAX_TEXT_OF_VALUE);
    // Without a value, the name means nothing: `failed: 0` and `error: null` report no failure.
    const line = name !== "" && isTold(value) ? `${name}: ${words}` : words;
    lines.push(line);
    length += line.length;
  }
  return lines.join("\n");
}

/** Whether an output object says that it is an error, as MCP results do. */
export function saysIsError(output: unknown, platform: Platform): boolean {
  if (typeof output !== "object" || output === null || platform.isProxy(output)) return false;
  return Object.getOwnPropertyDescriptor(output, "isError")?.value === true;
}

function isTold(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (typeof value === "number" && value !== 0);
}

/** Pushes the last one first, so that the stack returns them in order. */
function pushChildren(waiting: unknown[], names: string[], value: object, platform: Platform): void {
  const read = readObject(value, platform);
  if (read === undefined) return;
  if (read.by === "json") {
    waiting.push(read.value);
    names.push("");
    return;
  }
  // The first part only names the class. Bytes are read by number.
  if (read.by === "parts" && !ArrayBuffer.isView(value)) {
    const parts = read.parts.slice(1, MAX_VALUES_READ).toReversed();
    waiting.push(...parts);
    names.push(...parts.map(() => ""));
  }
  const keys = Object.keys(value);
  for (let at = Math.min(keys.length, MAX_VALUES_READ) - 1; at >= 0; at--) {
    const property = Object.getOwnPropertyDescriptor(value, keys[at]!);
    if (property === undefined || !("value" in property)) continue;
    waiting.push(property.value);
    names.push(Array.isArray(value) || keys[at]!.length > MAX_FIELD_NAME ? "" : keys[at]!);
  }
}

const OUR_START = `${MESSAGE_PREFIX} `;
const IN_TEXT = `\n\n${OUR_START}`;
/** Our messages are shorter than this. */
const MAX_OUR_WORDS = 2048;

/**
 * A tool's output without the words that the guard added to it. A host that replays its conversation passes us our own nudges, too: at the
 * end of a text, after a blank line, or as the last of several content parts.
 *
 * A single part of text becomes that text, so that a text equals the list that it became when words were added.
 */
function withoutOurWords(output: unknown, platform: Platform): unknown {
  if (typeof output === "string") return textWithoutOurWords(output);
  if (!Array.isArray(output) || platform.isProxy(output)) return output;
  const isOurs = (part: unknown): boolean => textOfPart(part, platform)?.startsWith(OUR_START) === true;
  let { length } = output;
  while (length > 1 && isOurs(output[length - 1])) length--;
  const text = length === 1 ? textOfPart(output[0], platform) : undefined;
  if (text !== undefined && isOnlyText(output[0])) return textWithoutOurWords(text);
  return length === output.length ? output : output.slice(0, length);
}

function textWithoutOurWords(text: string): string {
  const at = text.indexOf(IN_TEXT, Math.max(0, text.length - MAX_OUR_WORDS));
  return at < 0 ? text : text.slice(0, at);
}

/** The text of a content part. */
function textOfPart(part: unknown, platform: Platform): string | undefined {
  if (typeof part !== "object" || part === null || platform.isProxy(part)) return undefined;
  const [type, text] = ["type", "text"].map((key) => Object.getOwnPropertyDescriptor(part, key)?.value as unknown);
  return typeof type === "string" && typeof text === "string" ? text : undefined;
}

/** Whether a part holds only its type and its text. */
function isOnlyText(part: object): boolean {
  return Object.keys(part).length === 2;
}

import type { ResultEvent } from "../event.ts";
import { withoutFrame } from "../hints/frame.ts";
import { BIGGEST, canonicalOf } from "../identity/canonical.ts";
import { type Digest, digestOfAll } from "../identity/digest.ts";
import type { Platform } from "../identity/read-object.ts";
import { MAX_FIELDS, readObject } from "../identity/read-object.ts";
import { digestOfLines } from "./mask-text.ts";

/** What a result says, as far as it is compared. */
export interface Outcome {
  /** The output itself if it is text, else the words in it. */
  readonly text: string;
  /** Length of the whole output. */
  readonly length: number;
  /** Whether the tool failed, if the host or the output says so. */
  readonly error: boolean | undefined;
  /** What tells two outputs apart beyond their text: the host's digest, or that of a value of which only a part is read. */
  readonly digest: Digest | undefined;
  /** The output can be compared. If not, it equals nothing. */
  readonly isComparable: boolean;
  /** A substitute for the tool's answer. */
  readonly isSynthetic: boolean;
  /** When it came, if the host says so. */
  readonly at: number | undefined;
}

/** Reads a result. */
export function readOutcome(event: ResultEvent, platform: Platform): Outcome {
  const output = withoutOurWords(event.output, platform);
  const { text: framed, isWhole, isTooLarge } = readText(output, platform);
  const text = withoutFrame(framed);
  const told = typeof event.error === "boolean" ? event.error : undefined;
  const given = typeof event.digest === "string" && event.digest.length <= 1024 ? event.digest : undefined;
  const isCompared = typeof output === "string" || given !== undefined;
  const value = isCompared ? undefined : isTooLarge ? INCOMPARABLE : restOf(output, isWhole, platform);
  return {
    text,
    length: lengthOf(event.length) ?? text.length,
    error: told ?? (saysIsError(event.output, platform) ? true : undefined),
    digest: given === undefined ? value?.digest : digestOfAll("digest", given),
    isComparable: value === undefined || value.isComparable,
    isSynthetic: event.synthetic === true,
    at: timeOf(event.at),
  };
}

const INCOMPARABLE: { digest?: Digest; isComparable: boolean } = { isComparable: false };

/** The digest of a value that says more than the text that is read of it. */
function restOf(output: unknown, isWhole: boolean, platform: Platform): typeof INCOMPARABLE {
  const written = canonicalOf(output, platform, "", MAX_MASKED);
  if (written === undefined) return INCOMPARABLE;
  return isWhole ? { isComparable: true } : { digest: digestOfLines(written.text, written.end), isComparable: true };
}

/** Larger lengths are not believed. */
const MAX_OUTPUT_LENGTH = 1_000_000_000_000;

/** No clock in milliseconds shows more: that is the year 5138. */
export const LATEST_TIME = 1e14;

/** A time on the host's clock, if it is valid. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= LATEST_TIME ? Math.round(value) : undefined;
}

function lengthOf(length: unknown): number | undefined {
  return typeof length === "number" && length >= 0 ? Math.round(Math.min(length, MAX_OUTPUT_LENGTH)) : undefined;
}

/** Of a longer value, the earlier part is compared to the letter. */
const MAX_MASKED = 32_768;
const MAX_TEXT_OF_VALUE = 4096;
const MAX_VALUES_READ = 500;
const MAX_FIELD_NAME = 64;

interface ReadText {
  readonly text: string;
  /** The text holds all that the value says. */
  readonly isWhole: boolean;
  readonly isTooLarge: boolean;
}

/** Reads what an output says: its text, or its values, each on a line with its name, within limits. */
export function readText(output: unknown, platform: Platform): ReadText {
  if (typeof output === "string") return { text: output, isWhole: true, isTooLarge: false };
  const waiting: unknown[] = output === undefined || output === null ? [] : [output];
  const names: string[] = [""];
  const lines: string[] = [];
  let length = 0;
  let isWhole = true;
  for (let nodes = 0; waiting.length > 0 && nodes < MAX_VALUES_READ && length < MAX_TEXT_OF_VALUE; nodes++) {
    const value = waiting.pop();
    const name = names.pop()!;
    if (typeof value === "object" && value !== null) {
      const count = pushChildren(waiting, names, value, platform);
      // To list a million names takes long, so nothing more is read.
      if (count > MAX_FIELDS && !Array.isArray(value))
        return { text: lines.join("\n"), isWhole: false, isTooLarge: true };
      if (count > MAX_VALUES_READ) isWhole = false;
      continue;
    }
    const words = wordsOf(value);
    if (words.length === MAX_TEXT_OF_VALUE) isWhole = false;
    // Without a value, the name means nothing: `failed: 0` and `error: null` report no failure.
    const line = name !== "" && isTold(value) ? `${name}: ${words}` : words;
    lines.push(line);
    length += line.length;
  }
  return { text: lines.join("\n"), isWhole: isWhole && waiting.length === 0, isTooLarge: false };
}

function wordsOf(value: unknown): string {
  if (typeof value === "symbol" || typeof value === "function") return "";
  // The cost of writing an integer grows with the square of its length.
  if (typeof value === "bigint" && !(value < BIGGEST && value > -BIGGEST)) return "";
  return String(value).slice(0, MAX_TEXT_OF_VALUE);
}

/** Whether an output object says that it is an error, as MCP results do. */
export function saysIsError(output: unknown, platform: Platform): boolean {
  if (typeof output !== "object" || output === null || platform.isProxy(output)) return false;
  return Object.getOwnPropertyDescriptor(output, "isError")?.value === true;
}

function isTold(value: unknown): boolean {
  return (typeof value === "string" && value !== "") || (typeof value === "number" && value !== 0) || value === false;
}

/** Pushes the last one first, so that the stack returns them in order. Returns how many there are. */
function pushChildren(waiting: unknown[], names: string[], value: object, platform: Platform): number {
  const read = readObject(value, platform);
  if (read === undefined) return 0;
  if (read.by === "json") {
    waiting.push(read.value);
    names.push("");
    return 1;
  }
  // The first part only names the class.
  const parts = read.by === "parts" ? read.parts.slice(1, MAX_VALUES_READ).toReversed() : [];
  waiting.push(...parts);
  names.push(...parts.map(() => ""));
  // Bytes have as many fields as there are.
  if (ArrayBuffer.isView(value)) return parts.length;
  const keys = Array.isArray(value) ? undefined : Object.keys(value);
  const count = keys?.length ?? (value as readonly unknown[]).length;
  for (let at = Math.min(count, MAX_VALUES_READ) - 1; at >= 0; at--) {
    const key = keys?.[at] ?? String(at);
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || !("value" in property)) continue;
    waiting.push(property.value);
    names.push(keys === undefined || key.length > MAX_FIELD_NAME ? "" : key);
  }
  return Math.max(count, read.by === "parts" ? read.parts.length : 0);
}

/** All that comes from the guard begins with this, so that it is known again when it comes back as a user's words. */
export const MESSAGE_PREFIX = "[doomloop]";
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

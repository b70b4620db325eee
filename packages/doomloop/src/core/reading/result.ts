import type { ResultEvent } from "../event.ts";
import { hashOf } from "../hash.ts";
import type { Hints } from "../hints/index.ts";
import { BIGGEST, canonicalOf } from "../identity/canonical.ts";
import { MAX_FIELDS, type Platform, readObject } from "../identity/read-object.ts";

/** What a result says, as far as it is compared. */
export interface ResultReading {
  /** The output itself if it is text, else the words in it. Of a long one, its two ends. */
  readonly text: string;
  /** Length of the whole output. */
  readonly length: number;
  /** Whether the tool failed, if the host or the output says so. */
  readonly error: boolean | undefined;
  /** What tells two outputs apart beyond their text; 0: nothing does. */
  readonly rest: number;
  /** The output can be compared. If not, it equals nothing. */
  readonly isComparable: boolean;
  readonly at: number | undefined;
}

/** All that comes from the guard begins with this, so that it is known again when it comes back as a user's words. */
export const MESSAGE_PREFIX = "[doomloop]";
const OUR_START = `${MESSAGE_PREFIX} `;
const IN_TEXT = `\n\n${OUR_START}`;
/** Our messages are shorter than this. */
const MAX_OUR_WORDS = 2048;
/** Of a longer text, the two ends are read, and a digest of what is between them. */
const WHOLE = 16_384;
const HALF = WHOLE / 2;
/** A longer text equals no other, unless the host has a digest of it. */
const MAX_COMPARED = 4_194_304;
const NO_TEXT: OutputText = { text: "", isWhole: false, isReadable: false };
const MAX_OUTPUT_LENGTH = 1_000_000_000_000;
/** No clock in milliseconds shows more: that is the year 5138. */
export const LATEST_TIME = 1e14;
/** Of a longer value, the earlier part is compared to the letter. */
const MAX_TEXT_OF_VALUE = 4096;
const MAX_VALUES_READ = 500;
const MAX_FIELD_NAME = 64;

/** Reads a result. */
export function readResult(event: ResultEvent, hints: Hints, platform: Platform): ResultReading {
  const output = withoutOurWords(event.output, platform);
  const told = typeof event.error === "boolean" ? event.error : undefined;
  const given = typeof event.digest === "string" && event.digest.length <= 1024 ? hashOf(event.digest) : 0;
  const isTooLong = typeof output === "string" && output.length > MAX_COMPARED && given === 0;
  const read = isTooLong ? { ...NO_TEXT, text: output.slice(0, WHOLE) } : readText(output, platform);
  const rest = given !== 0 || read.isWhole ? given : read.isReadable ? restOf(output, platform) : undefined;
  const bare = hints.withoutFrame(read.text);
  const isLong = bare.length > WHOLE;
  return {
    text: isLong ? `${bare.slice(0, HALF)}\n${bare.slice(-HALF)}` : bare,
    length: lengthOf(event.length) ?? (isTooLong ? output.length : read.text.length),
    error: told ?? (saysIsError(event.output, platform) ? true : undefined),
    rest: isLong && rest === 0 ? middleOf(bare, HALF, bare.length - HALF) : (rest ?? 0),
    isComparable: rest !== undefined,
    at: timeOf(event.at),
  };
}

/** A time on the host's clock, if it is valid. */
export function timeOf(value: unknown): number | undefined {
  return typeof value === "number" && Math.abs(value) <= LATEST_TIME ? Math.round(value) : undefined;
}

function lengthOf(length: unknown): number | undefined {
  return typeof length === "number" && length >= 0 ? Math.round(Math.min(length, MAX_OUTPUT_LENGTH)) : undefined;
}

/** A value that says more than the text that is read of it; undefined if it cannot be compared. */
function restOf(output: unknown, platform: Platform): number | undefined {
  const written = canonicalOf(output, platform);
  return written === undefined ? undefined : hashOf(written.text);
}

/** By two bytes: what they do to a CRC-32. */
let crcTable: Int32Array | undefined;

/** CRC-32 and Adler-32 of a part of a text as UTF-16LE, as one number: whoever sends a long text to the core may have read it already. */
function middleOf(text: string, from: number, to: number): number {
  crcTable ??= Int32Array.from({ length: 65_536 }, (_, unit) => {
    let crc = unit;
    for (let bit = 0; bit < 16; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  const table = crcTable;
  let crc = -1;
  let one = 1;
  let two = 0;
  for (let at = from, left = 0; at < to; at++) {
    const unit = text.charCodeAt(at);
    crc = table[(crc ^ unit) & 65_535]! ^ (crc >>> 16);
    const low = one + (unit & 255);
    one = low + (unit >>> 8);
    two += low + one;
    // So many bytes before a sum could be too large.
    if (++left === 2_000) {
      one %= 65_521;
      two %= 65_521;
      left = 0;
    }
  }
  const adler = (((two % 65_521) << 16) | (one % 65_521)) >>> 0;
  return (~crc >>> 0) * 0x200000 + (adler >>> 11) || 1;
}

/** What an output says. `isWhole`: there is no more to it · `isReadable`: the rest can be compared. */
interface OutputText {
  readonly text: string;
  readonly isWhole: boolean;
  readonly isReadable: boolean;
}

/** Reads what an output says: its values, each on a line with its name, within limits. */
export function readText(output: unknown, platform: Platform): OutputText {
  if (typeof output === "string") return { text: output, isWhole: true, isReadable: true };
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
      if (count > MAX_FIELDS && !Array.isArray(value)) return { text: lines.join("\n"), isWhole: false, isReadable: false };
      if (count < 0 || count > MAX_VALUES_READ) isWhole = false;
      continue;
    }
    const words = wordsOf(value);
    if (words === undefined || words.length === MAX_TEXT_OF_VALUE) isWhole = false;
    if (words === undefined) continue;
    // Without a value, the name means nothing: `failed: 0` and `error: null` report no failure.
    const line = name !== "" && isTold(value) ? `${name}: ${words}` : words;
    lines.push(line);
    length += line.length;
  }
  return { text: lines.join("\n"), isWhole: isWhole && waiting.length === 0, isReadable: true };
}

/** A value as text; undefined if there is nothing in it to compare. */
function wordsOf(value: unknown): string | undefined {
  if (typeof value === "symbol" || typeof value === "function") return undefined;
  // The cost of writing an integer grows with the square of its length.
  if (typeof value === "bigint" && !(value < BIGGEST && value > -BIGGEST)) return undefined;
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

/** Pushes the last one first, so that the stack returns them in order. Returns how many there are; -1 if some cannot be read. */
function pushChildren(waiting: unknown[], names: string[], value: object, platform: Platform): number {
  const read = readObject(value, platform);
  if (read === undefined) return -1;
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
  let isReadable = true;
  for (let at = Math.min(count, MAX_VALUES_READ) - 1; at >= 0; at--) {
    const key = keys?.[at] ?? String(at);
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || !("value" in property)) {
      isReadable = false;
      continue;
    }
    waiting.push(property.value);
    names.push(keys === undefined || key.length > MAX_FIELD_NAME ? "" : key);
  }
  return isReadable ? Math.max(count, read.by === "parts" ? read.parts.length : 0) : -1;
}

/**
 * A tool's output without the words that the guard added to it. A host that replays its conversation passes us our own nudges, too: at the
 * end of a text, after a blank line, or as the last of several content parts. A single part of text becomes that text.
 */
function withoutOurWords(output: unknown, platform: Platform): unknown {
  if (typeof output === "string") return textWithoutOurWords(output);
  if (!Array.isArray(output) || platform.isProxy(output)) return output;
  const isOurs = (part: unknown): boolean => textOfPart(part, platform)?.startsWith(OUR_START) === true;
  let { length } = output;
  while (length > 1 && isOurs(output[length - 1])) length--;
  const text = length === 1 ? textOfPart(output[0], platform) : undefined;
  if (text !== undefined && Object.keys(output[0] as object).length === 2) return textWithoutOurWords(text);
  return length === output.length ? output : output.slice(0, length);
}

function textWithoutOurWords(text: string): string {
  const at = text.indexOf(IN_TEXT, Math.max(0, text.length - MAX_OUR_WORDS));
  return at < 0 ? text : text.slice(0, at);
}

function textOfPart(part: unknown, platform: Platform): string | undefined {
  if (typeof part !== "object" || part === null || platform.isProxy(part)) return undefined;
  const [type, text] = ["type", "text"].map((key) => Object.getOwnPropertyDescriptor(part, key)?.value as unknown);
  return typeof type === "string" && typeof text === "string" ? text : undefined;
}

import { createHash } from "node:crypto";
import { Problem } from "./problem.ts";

/** What a body may cost, its values of events, and each of these. A field costs the parser most, if it has not met its name before. */
const MAX_COST = 131_072;
const MAX_VALUES_COST = 65_536;
const MAX_VALUE_COST = 32_768;
const COST_OF_FIELD = 4;
/** Deeper values are not compared, and the time to parse them grows with their depth. */
const MAX_DEPTH = 64;
/** What is in an event lies deeper: in a field of an object in a list of the body. */
const DEPTH_OF_EVENT = 3;
/** How much of a value that costs too much is read. */
const HEAD_BYTES = 4_096;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What a byte outside of texts is. All that is not listed is nothing to look at. */
const [TEXT, FIELD, ITEM, OPENING, CLOSING] = [1, 2, 3, 4, 5];
const KINDS = new Uint8Array(256);
for (const [kind, characters] of [
  [TEXT, '"'],
  [FIELD, ":"],
  [ITEM, ","],
  [OPENING, "[{"],
  [CLOSING, "]}"],
] as const)
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind!;
/** So many bytes are scanned at a time. */
const PIECE_BYTES = 65_536;

interface Scan {
  readonly bytes: Buffer;
  /** Values begin at this depth that may be written as text. */
  readonly foldsAt: number;
  readonly pieces: string[];
  at: number;
  /** How far the bytes were copied to the pieces. */
  copied: number;
  depth: number;
  cost: number;
  /** Where the value began that is being scanned, or `NONE`. */
  start: number;
  /** The cost before it. */
  before: number;
  isDeep: boolean;
}

const NONE = -1;
/** The name of a value, before it. */
const OUTPUT = /"output"\s*:\s*$/;
const MAX_GAP = 64;

/**
 * The text of a body that takes a bounded time to parse and to judge, however the body is built.
 *
 * A value of an event that has too many parts, or is nested too deeply, becomes text: its beginning, and a digest of all of it. So values of
 * any size can be told apart. Throws a `Problem` for a body that costs too much nevertheless. `isOfEvents`: the body is a list of events.
 * The work is done in small steps.
 */
export function* boundedJson(bytes: Buffer, isOfEvents: boolean): Generator<void, string> {
  const foldsAt = isOfEvents ? DEPTH_OF_EVENT : Number.POSITIVE_INFINITY;
  const where = { at: 0, copied: 0, depth: 0, cost: 0, start: NONE, before: 0, isDeep: false };
  const scan: Scan = { bytes, foldsAt, pieces: [], ...where };
  while (scan.at < bytes.length) {
    scanPiece(scan, Math.min(bytes.length, scan.at + PIECE_BYTES));
    if (scan.cost > MAX_COST && scan.start === NONE) throw tooComplex();
    yield;
  }
  // What is never closed is no JSON, and a parser would take long to find out.
  if (scan.depth > 0) throw new Problem(400, "the body is not valid JSON");
  return scan.pieces.join("") + bytes.toString("utf8", scan.copied);
}

function scanPiece(scan: Scan, end: number): void {
  const { bytes } = scan;
  let { at } = scan;
  for (; at < end; at++) {
    const kind = KINDS[bytes[at]!];
    if (kind === 0) continue;
    if (kind === TEXT) at = endOfText(bytes, at);
    else if (kind === FIELD) scan.cost += COST_OF_FIELD;
    else if (kind === ITEM) scan.cost++;
    else if (kind === OPENING) open(scan, at);
    else close(scan, at);
  }
  scan.at = at;
}

/** Where the text that begins with a quote ends. */
function endOfText(bytes: Buffer, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function open(scan: Scan, at: number): void {
  if (scan.depth === scan.foldsAt) {
    scan.start = at;
    scan.before = scan.cost;
    scan.isDeep = false;
  }
  scan.cost++;
  if (++scan.depth <= MAX_DEPTH) return;
  if (scan.start === NONE) throw tooComplex();
  scan.isDeep = true;
}

function close(scan: Scan, at: number): void {
  if (--scan.depth !== scan.foldsAt || scan.start === NONE) return;
  const { bytes, start, before, copied } = scan;
  scan.start = NONE;
  if (!scan.isDeep && scan.cost - before <= MAX_VALUE_COST && scan.cost <= MAX_VALUES_COST) return;
  const head = bytes.toString("utf8", copied, start);
  scan.pieces.push(head, folded(bytes.subarray(start, at + 1), OUTPUT.test(head.slice(-MAX_GAP))));
  scan.copied = at + 1;
  scan.cost = before;
}

/** A value as text, with the fields that describe the whole of an output that was cut. */
function folded(value: Buffer, isOutput: boolean): string {
  const digest = createHash("sha256").update(value).digest("hex");
  const text = `${value.toString("utf8", 0, HEAD_BYTES)} [${value.length} bytes, ${digest}]`;
  return isOutput ? `${JSON.stringify(text)},"digest":"${digest}","length":${value.length}` : JSON.stringify(text);
}

function tooComplex(): Problem {
  return new Problem(413, `a body with fewer fields and items, nested at most ${MAX_DEPTH} deep, is required`);
}

import { closeSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";
import { openRegularFile } from "./open-regular-file.ts";

const HEAD_BYTES = 4096;
const LINE_FEED = 10;
const PIECE_BYTES = 65_536;
const BEGINNING_BYTES = 1024;
const MAX_LINES = 24;
/** A longer line is skipped when the file is read, so there is no need to search beyond it. */
const MAX_BYTES = 67_108_864 + PIECE_BYTES;

/** The first 4096 bytes of a file as text, decompressed if they are gzip. Throws the `node:fs` error. */
export function readHead(path: string): string {
  for (const bytes of pieces(path, HEAD_BYTES)) return bytes.toString("utf8", 0, HEAD_BYTES);
  return "";
}

/**
 * The beginnings of the first lines of a file. For files whose first record is longer than the head. Throws the
 * `node:fs` error.
 */
export function readLineBeginnings(path: string): string {
  const found: Buffer[] = [];
  let lines = 0;
  /** The number of bytes kept of the current line. */
  let kept = 0;
  for (const bytes of pieces(path, PIECE_BYTES)) {
    for (let from = 0; from < bytes.length && lines < MAX_LINES; ) {
      const end = bytes.indexOf(LINE_FEED, from);
      const to = end < 0 ? bytes.length : end;
      const piece = bytes.subarray(from, Math.min(to, from + BEGINNING_BYTES - kept));
      found.push(Buffer.from(piece), Buffer.alloc(end < 0 ? 0 : 1, LINE_FEED));
      kept = end < 0 ? kept + piece.length : 0;
      if (end >= 0) lines++;
      from = to + 1;
    }
    if (lines >= MAX_LINES) break;
  }
  return Buffer.concat(found).toString("utf8");
}

/** Whether a file is gzip, judged by its first bytes. Throws the `node:fs` error. */
export function isGzip(path: string): boolean {
  for (const bytes of rawPieces(path, 2)) return hasMagic(bytes);
  return false;
}

/** The beginning of a file, piece by piece. Of gzip, as much as its first piece contains. */
function* pieces(path: string, pieceBytes: number): Generator<Buffer> {
  for (const bytes of rawPieces(path, pieceBytes)) {
    if (!hasMagic(bytes)) yield bytes;
    else return yield unzipped(bytes);
  }
}

/** Each piece overwrites the one before. */
function* rawPieces(path: string, pieceBytes: number): Generator<Buffer> {
  const { descriptor, size } = openRegularFile(path);
  try {
    const buffer = Buffer.alloc(Math.min(pieceBytes, size));
    for (let at = 0; at < Math.min(size, MAX_BYTES); ) {
      const length = readSync(descriptor, buffer, 0, buffer.length, at);
      if (length === 0) return;
      yield buffer.subarray(0, length);
      at += length;
    }
  } finally {
    closeSync(descriptor);
  }
}

function hasMagic(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 4_000_000 });
  } catch {
    return Buffer.alloc(0);
  }
}

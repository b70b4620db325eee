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
  const bytes = firstBytes(path, HEAD_BYTES);
  return (hasMagic(bytes) ? unzipped(bytes) : bytes).toString("utf8", 0, HEAD_BYTES);
}

/**
 * The beginnings of the first lines of a file. For files whose first record is longer than the head. Throws the
 * `node:fs` error.
 */
export function readLineBeginnings(path: string): string {
  const { descriptor, size } = openRegularFile(path);
  const buffer = Buffer.alloc(Math.min(PIECE_BYTES, size));
  const lines = createBeginnings();
  try {
    for (let at = 0; at < Math.min(size, MAX_BYTES) && !lines.isFull(); ) {
      const length = readSync(descriptor, buffer, 0, buffer.length, at);
      if (length === 0) break;
      const bytes = buffer.subarray(0, length);
      if (at === 0 && hasMagic(bytes)) {
        lines.add(unzipped(bytes));
        break;
      }
      lines.add(bytes);
      at += length;
    }
  } finally {
    closeSync(descriptor);
  }
  return lines.text();
}

/** Whether a file is gzip, judged by its first bytes. Throws the `node:fs` error. */
export function isGzip(path: string): boolean {
  return hasMagic(firstBytes(path, 2));
}

interface Beginnings {
  add(bytes: Buffer): void;
  isFull(): boolean;
  text(): string;
}

function createBeginnings(): Beginnings {
  const found: Buffer[] = [];
  let lines = 0;
  /** The number of bytes kept of the current line. */
  let kept = 0;
  return {
    add(bytes) {
      for (let from = 0; from < bytes.length && lines < MAX_LINES; ) {
        const end = bytes.indexOf(LINE_FEED, from);
        const to = end < 0 ? bytes.length : end;
        const piece = Buffer.from(bytes.subarray(from, Math.min(to, from + BEGINNING_BYTES - kept)));
        found.push(piece);
        kept += piece.length;
        from = to + 1;
        if (end < 0) return;
        found.push(Buffer.of(LINE_FEED));
        lines++;
        kept = 0;
      }
    },
    isFull: () => lines >= MAX_LINES,
    text: () => Buffer.concat(found).toString("utf8"),
  };
}

function hasMagic(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/** Decompresses as much as the beginning of a file contains. */
function unzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 4_000_000 });
  } catch {
    return Buffer.alloc(0);
  }
}

function firstBytes(path: string, length: number): Buffer {
  const { descriptor: file } = openRegularFile(path);
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

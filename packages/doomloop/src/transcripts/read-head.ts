import { closeSync, openSync, readSync } from "node:fs";
import { constants, gunzipSync } from "node:zlib";

const HEAD_BYTES = 4096;

/** The first 4096 bytes of a file as text, decompressed if they are gzip. Throws as `node:fs` does. */
export function readHead(path: string): string {
  const bytes = firstBytes(path, HEAD_BYTES);
  if (!hasMagic(bytes)) return bytes.toString("utf8");
  try {
    const options = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1_000_000 };
    return gunzipSync(bytes, options).toString("utf8", 0, HEAD_BYTES);
  } catch {
    return "";
  }
}

/** Whether a file is gzip, told by its first bytes. Throws as `node:fs` does. */
export function isGzip(path: string): boolean {
  return hasMagic(firstBytes(path, 2));
}

function hasMagic(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function firstBytes(path: string, length: number): Buffer {
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

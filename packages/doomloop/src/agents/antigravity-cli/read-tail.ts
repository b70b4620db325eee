import { closeSync, readSync } from "node:fs";
import { isAbsolute } from "node:path";
import { openRegularFile } from "../../transcripts/open-regular-file.ts";

const TAIL_BYTES = 262_144;
const TRANSCRIPT = /[\\/]brain[\\/]([\w-]{1,64})[\\/]\.system_generated[\\/]logs[\\/]transcript(?:_full)?\.jsonl$/;
/** A path that starts like this may be on another machine. */
const REMOTE = /^[\\/]{2}/;

/** The latest records of a conversation. None for any other path, or if it cannot be read. */
export function readTail(path: unknown, conversation: string): readonly unknown[] {
  if (typeof path !== "string" || !isAbsolute(path) || REMOTE.test(path)) return [];
  if (TRANSCRIPT.exec(path)?.[1] !== conversation) return [];
  try {
    return recordsIn(tailOf(path));
  } catch {
    return [];
  }
}

/** The end of a file, beginning with a whole line. */
function tailOf(path: string): string {
  const { descriptor, size } = openRegularFile(path);
  try {
    const start = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - start);
    const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, start));
    return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
  } finally {
    closeSync(descriptor);
  }
}

function recordsIn(text: string): readonly unknown[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      // The last line may still be being written.
      return [];
    }
  });
}

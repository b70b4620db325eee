import { closeSync, constants, fstatSync, openSync, readSync, type Stats, writeSync } from "node:fs";
import { isAbsence, JournalError } from "./journal-fault.ts";
import type { RecordLock } from "./journal-record.ts";
import { isOwn } from "./private-folder.ts";
import { type ChainLink, followChain, type RecordChain } from "./record-chain.ts";

export interface GenerationPlace {
  readonly path: string;
  readonly lock: RecordLock;
  /** Bytes of the file that count. Once it is as long as this, it is closed. */
  readonly maxBytes: number;
  /** Makes the file if it is not there. */
  readonly mayCreate: boolean;
}

interface GenerationChain extends RecordChain {
  /** Nothing that is appended counts any more, so all that counts is known. */
  readonly isClosed: boolean;
  /** The file has no name any more. */
  readonly isRemoved: boolean;
}

export interface GenerationFile {
  readonly number: number;
  isClosed(): boolean;
  readChain(from: ChainLink, own?: string): GenerationChain;
  append(bytes: Buffer): void;
  close(): void;
}

const { O_APPEND, O_CREAT, O_RDWR } = constants;
// Absent on Windows. A pipe in the place of a file must not make the open wait.
const CAUTION = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens one file of a journal; undefined if it is not there and not to be made. Throws for every other fault, and so do its functions. */
export function openGeneration({ path, lock, maxBytes, mayCreate }: GenerationPlace): GenerationFile | undefined {
  const descriptor = openFile(path, mayCreate);
  if (descriptor === undefined) return undefined;

  return {
    number: lock.generation,
    isClosed: () => fstatSync(descriptor).size >= maxBytes,
    readChain(from, own) {
      // Before the read: bytes of a file that is closed by now are final, those of one that was closed meanwhile may have been read too early.
      const { size, nlink } = fstatSync(descriptor);
      const bytes = readBytes(descriptor, from.end, Math.min(size, maxBytes));
      return { ...followChain(bytes, from, lock, own), isClosed: size >= maxBytes, isRemoved: nlink === 0 };
    },
    append(bytes) {
      // One write: the system puts it behind everything else, and nothing in between.
      const written = writeSync(descriptor, bytes);
      if (written < bytes.length)
        throw new JournalError("short-write", `journal: ${written} of ${bytes.length} bytes were written`);
    },
    close: () => closeQuietly(descriptor),
  };
}

function openFile(path: string, mayCreate: boolean): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDWR | O_APPEND | CAUTION | (mayCreate ? O_CREAT : 0), 0o600);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
  try {
    requireOwnFile(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeQuietly(descriptor);
    throw error;
  }
}

function requireOwnFile(stats: Stats): void {
  if (!stats.isFile() || !isOwn(stats)) throw new JournalError("not-a-file", "journal: a file of ours is required");
}

/** The bytes of a file from `start` to `end`, or to where it ends now. */
function readBytes(descriptor: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(descriptor, bytes, length, bytes.length - length, start + length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

/** What was written is written: a fault of closing changes nothing. */
function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {}
}

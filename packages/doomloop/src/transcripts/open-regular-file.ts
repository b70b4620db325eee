import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";

/** A file that is open for reading. Whoever opened it closes it. */
export interface RegularFile {
  readonly descriptor: number;
  /** Bytes that it held when it was opened. */
  readonly size: number;
}

/** Does not wait for the other end of a pipe, and takes no terminal. Not every platform has these. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file for reading, through links. Throws as `node:fs` does, and for what is no regular file: a pipe would be waited for,
 * a device never ends.
 *
 * Asked before it is opened, because some devices act on being opened, and again afterwards, because it may be another by then.
 */
export function openRegularFile(path: string): RegularFile {
  requireRegular(statSync(path));
  const descriptor = openSync(path, FLAGS);
  try {
    const facts = fstatSync(descriptor);
    requireRegular(facts);
    return { descriptor, size: facts.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The bytes of a regular file; undefined if there are more of them than wanted. Throws as `openRegularFile` does. */
export function readRegularFile(path: string, maxBytes: number): Buffer | undefined {
  const { descriptor, size } = openRegularFile(path);
  try {
    return size > maxBytes ? undefined : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws what `openRegularFile` would throw, for files that others read. */
export function requireRegularFile(path: string): void {
  closeSync(openRegularFile(path).descriptor);
}

/** What something is that is no regular file: a folder, a pipe, a socket, a device. */
export function kindOfFile(facts: Pick<Stats, "isDirectory" | "isFIFO" | "isSocket">): string {
  if (facts.isDirectory()) return "a folder";
  if (facts.isFIFO()) return "a pipe";
  return facts.isSocket() ? "a socket" : "a device";
}

function requireRegular(facts: Stats): void {
  if (!facts.isFile()) throw new Error(`it is ${kindOfFile(facts)}`);
}

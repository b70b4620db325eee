import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from "node:fs";

/** Does not wait for the other end of a pipe, and does not take over a terminal. Not every platform has these flags. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Opens a file for reading, which the caller closes. `size` is that of the moment. Follows links. Throws the `node:fs` error, and an error for anything but a regular file: a
 * pipe would block, and a device never ends.
 *
 * Checks before opening, because some devices react to being opened, and again afterwards, because the path may have
 * changed.
 */
export function openRegularFile(path: string): { readonly descriptor: number; readonly size: number } {
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

/** The bytes of a regular file. Undefined if it is larger than `maxBytes`. Throws like `openRegularFile`. */
export function readRegularFile(path: string, maxBytes: number): Buffer | undefined {
  const { descriptor, size } = openRegularFile(path);
  try {
    return size > maxBytes ? undefined : readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws like `openRegularFile`. For files that other code reads. */
export function requireRegularFile(path: string): void {
  closeSync(openRegularFile(path).descriptor);
}

/** The kind of anything but a regular file: a folder, a pipe, a socket, a device. */
export function kindOfFile(facts: Pick<Stats, "isDirectory" | "isFIFO" | "isSocket">): string {
  if (facts.isDirectory()) return "a folder";
  if (facts.isFIFO()) return "a pipe";
  return facts.isSocket() ? "a socket" : "a device";
}

function requireRegular(facts: Stats): void {
  if (!facts.isFile()) throw new Error(`it is ${kindOfFile(facts)}`);
}

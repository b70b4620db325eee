import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const MAX_BYTES = 1 << 20;
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/** The text of a plain file that is not too long; undefined if there is no such file. */
export function readPlainFile(path: string, maxBytes: number = MAX_BYTES): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const found = fstatSync(descriptor);
    return found.isFile() && found.size <= maxBytes ? readFileSync(descriptor, "utf8") : undefined;
  } finally {
    closeSync(descriptor);
  }
}

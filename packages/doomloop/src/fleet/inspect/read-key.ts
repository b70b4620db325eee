import { readFileSync } from "node:fs";
import { readFault, UsageError } from "../../system/usage-error.ts";

/** Reads the key of a deployment. The end of the file's last line is not part of it. Throws a `UsageError`, which does not say the key. */
export function readKey(path: string): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
  const length = bytes.findLastIndex((byte) => byte !== 0x0a && byte !== 0x0d) + 1;
  if (length === 0) throw new UsageError(`--key-file: a file with a key is required, ${path} is empty`);
  return bytes.subarray(0, length);
}

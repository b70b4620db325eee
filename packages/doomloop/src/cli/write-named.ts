import { writeFileSync } from "node:fs";
import { readFault } from "../system/read-fault.ts";
import { UsageError } from "../system/usage-error.ts";

/** Writes a file that the user named. Throws a `UsageError` where it cannot be written. */
export function writeNamed(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}

import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { GuardOptions } from "../../core/options.ts";
import { readFault } from "../read-fault.ts";
import { UsageError } from "../usage-error.ts";
import { checkConfig } from "./check-config.ts";

/** Reads a guard's options from a JSON file; throws a `UsageError` that names the file. */
export function readConfig(path: string): GuardOptions {
  if (extname(path).toLowerCase() !== ".json") throw new UsageError(`${path}: a .json file is required`);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
  try {
    return checkConfig(JSON.parse(text) as unknown);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

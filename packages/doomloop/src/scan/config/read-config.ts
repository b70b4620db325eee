import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { GuardOptions } from "../../core/options.ts";
import { readFault } from "../../system/read-fault.ts";
import { UsageError } from "../../system/usage-error.ts";
import { readRegularFile, requireRegularFile } from "../../transcripts/open-regular-file.ts";
import { checkConfig } from "./check-config.ts";

const MAX_BYTES = 1_048_576;

/** Reads a guard's options from a JSON file or a TypeScript module's default export; throws a `UsageError` that names the file. */
export async function readConfig(path: string): Promise<GuardOptions> {
  const extension = extname(path).toLowerCase();
  if (extension !== ".json" && extension !== ".ts") throw new UsageError(`${path}: a .json or .ts file is required`);
  if (extension === ".ts") return loadModule(path);
  const value = readJson(path);
  try {
    return checkConfig(value);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function readJson(path: string): unknown {
  let bytes: Buffer | undefined;
  try {
    bytes = readRegularFile(path, MAX_BYTES);
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
  if (bytes === undefined) throw new UsageError(`${path}: it is longer than a megabyte`);
  try {
    return withoutSchema(JSON.parse(bytes.toString("utf8")) as unknown);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** Editors read `$schema`; a guard has no such option. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { $schema: _, ...options } = value as Record<string, unknown>;
  return options;
}

/** Node strips the types itself from version 22.18 on. A module may hold functions; the guard checks them. */
async function loadModule(path: string): Promise<GuardOptions> {
  let loaded: { default?: unknown };
  try {
    requireRegularFile(path);
    loaded = (await import(pathToFileURL(resolve(path)).href)) as typeof loaded;
  } catch (error) {
    throw new UsageError(`cannot load ${path}: ${readFault(error)}`, { cause: error });
  }
  const options = loaded.default;
  if (typeof options === "object" && options !== null) return options;
  throw new UsageError(`${path}: a default export with a guard's options is required`);
}

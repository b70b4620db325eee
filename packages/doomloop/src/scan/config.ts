import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { checkNames, checkOptions, GUARD_OPTIONS } from "../core/check-options.ts";
import { isDoomloopError } from "../core/doomloop-error.ts";
import type { GuardOptions } from "../core/options.ts";
import type { PresetName } from "../core/policy/presets.ts";
import { createGuard } from "../index.ts";
import { readFault, UsageError } from "../system/usage-error.ts";
import { readRegularFile, requireRegularFile } from "../transcripts/open-regular-file.ts";

/** Functions, and what belongs to one run, cannot stand in a file. */
const NOT_IN_FILE = [
  "messages",
  "onDecision",
  "onFault",
  "fleet",
  "snapshot",
] as const satisfies (keyof GuardOptions)[];

/** The options that can stand in a file. */
export const FILE_OPTIONS: readonly string[] = Object.keys(GUARD_OPTIONS).filter(
  (name) => !(NOT_IN_FILE as readonly string[]).includes(name),
);

/** A module is run only if somebody names it: a checkout of somebody else's may hold one. */
const NAME = "doomloop.config.json";

const MAX_DEPTH = 64;

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

/** The configuration that a command uses: the one that was named, none if that is `false`, else the one that is found. */
export function configFor(named: string | false | undefined): string | undefined {
  if (named === false) return undefined;
  return named ?? findConfig(process.cwd(), homedir());
}

/**
 * The configuration that holds in a folder: its own, or that of the nearest folder above up to the root of the
 * repository or the home folder. Undefined if there is none.
 */
export function findConfig(from: string, home: string): string | undefined {
  let folder = from;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (existsSync(join(folder, NAME))) return join(folder, NAME);
    // What lies above belongs to others.
    if (folder === home || existsSync(join(folder, ".git")) || dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

/** Checks that a value from a file has the form of options for a guard; throws a `UsageError` if not. */
export function checkConfig(value: unknown): GuardOptions {
  try {
    checkOptions(value);
    checkNames("", Object.keys(value), FILE_OPTIONS);
    return value;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** The options of a guard from a file and a preset's name, which wins. Throws a `UsageError` for what makes no sense. */
export async function chooseOptions(preset: string | undefined, configPath: string | undefined): Promise<GuardOptions> {
  const config = configPath === undefined ? {} : await readConfig(configPath);
  const options = preset === undefined ? config : { ...config, preset: preset as PresetName };
  try {
    createGuard(options);
  } catch (error) {
    if (!isDoomloopError(error)) throw error;
    const where = configPath === undefined ? "" : `${configPath}: `;
    throw new UsageError(`${where}${error.message}`, { cause: error });
  }
  return options;
}

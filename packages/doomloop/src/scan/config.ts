import { existsSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isDoomloopError } from "../core/doomloop-error.ts";
import type { PresetName } from "../core/policy/levels.ts";
import { checkJsonConfig, createConfiguredGuard, type GuardConfig } from "../counting/configured-guard.ts";
import { platform } from "../platform.ts";
import { homeFolder } from "../system/home-folder.ts";
import { orUsageError, toUsageError, UsageError } from "../system/usage-error.ts";
import { readRegularFile, requireRegularFile } from "../transcripts/open-regular-file.ts";

const MAX_BYTES = 1_048_576;

/**
 * Reads guard options from a JSON file or from the default export of a TypeScript module. Throws a `UsageError` that
 * names the file.
 */
export async function readConfig(path: string): Promise<GuardConfig> {
  const extension = extname(path).toLowerCase();
  if (extension !== ".json" && extension !== ".ts") throw new UsageError(`${path}: a .json or .ts file is required`);
  if (extension === ".ts") return configIn(path);
  const value = readJson(path);
  try {
    return checkConfig(value);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function readJson(path: string): unknown {
  const bytes = orUsageError(`cannot read ${path}`, () => readRegularFile(path, MAX_BYTES));
  if (bytes === undefined) throw new UsageError(`${path}: it is longer than a megabyte`);
  try {
    return withoutSchema(JSON.parse(bytes.toString("utf8")) as unknown);
  } catch (error) {
    throw new UsageError(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** `$schema` is for editors. The guard has no such option. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { $schema: _, ...options } = value as Record<string, unknown>;
  return options;
}

/** A module that the user named. Node removes the types itself since version 22.18. */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const what = `cannot load ${path}`;
  orUsageError(what, () => requireRegularFile(path));
  return import(pathToFileURL(resolve(path)).href).catch(toUsageError(what));
}

/** A module may contain functions, which the guard checks. */
async function configIn(path: string): Promise<GuardConfig> {
  const { default: options } = await loadModule(path);
  if (typeof options === "object" && options !== null) return options;
  throw new UsageError(`${path}: a default export with a guard's options is required`);
}

/** Checks that a value from a file is a valid options object. Throws a `UsageError` if not. */
export function checkConfig(value: unknown): GuardConfig {
  try {
    checkJsonConfig(value);
    return value;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

/** Combines a configuration file with a preset. The preset wins. Throws a `UsageError` for invalid options. */
export async function chooseOptions(preset: string | undefined, configPath: string | undefined): Promise<GuardConfig> {
  const config = configPath === undefined ? {} : await readConfig(configPath);
  const options = preset === undefined ? config : { ...config, preset: preset as PresetName };
  try {
    createConfiguredGuard(options, platform);
  } catch (error) {
    if (!isDoomloopError(error)) throw error;
    const where = configPath === undefined ? "" : `${configPath}: `;
    throw new UsageError(`${where}${error.message}`, { cause: error });
  }
  return options;
}

/** Only JSON is found automatically. A module in a stranger's checkout must not run unless the user names it. */
const NAME = "doomloop.config.json";
const MAX_DEPTH = 64;

/** The configuration file for a command: the named one, none for `false`, otherwise the one that is found. */
export function configFor(named: string | false | undefined): string | undefined {
  if (named === false) return undefined;
  return named ?? findConfig(process.cwd(), homeFolder());
}

/**
 * Finds the configuration file of a folder: in the folder itself or in the nearest parent, up to the root of the
 * repository or the home folder. Undefined if there is none.
 */
export function findConfig(from: string, home: string): string | undefined {
  let folder = from;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (existsSync(join(folder, NAME))) return join(folder, NAME);
    // Folders above may belong to someone else.
    if (folder === home || existsSync(join(folder, ".git")) || dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

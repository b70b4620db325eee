import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";
import { replaceFile } from "../hook/replace-file.ts";
import { isPrivateFolder, makePrivateFolder } from "../journal/private-folder.ts";

/** Below the folder of what hooks keep. */
const FOLDER = "compiled";
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/** A program that was loaded. */
export interface CompiledProgram<Exports> {
  readonly exports: Exports;
  /** Keeps what was compiled until now for the next process. Absent where that was done before. */
  readonly keep?: () => void;
}

/**
 * Loads a file of ours together with what an earlier process made of it. Node has a cache of its own, but puts into it only what is
 * compiled when a file is loaded; most of a hook is compiled when it first runs, and that takes longer.
 *
 * The file's name has to say what is in it: V8 does not look whether the code that was kept is of this very text. What was kept is run,
 * so it is read from where only the user can write, or not at all.
 */
export function loadCompiled<Exports>(file: string, state: string): CompiledProgram<Exports> {
  const folders = [state, join(state, FOLDER)];
  const place = join(state, FOLDER, `${basename(file)}-${process.version}-${process.arch}`);
  const cachedData = keptIn(folders, place);
  const script = new Script(`(function(exports,require){${readFileSync(file, "utf8")}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
  });
  const exports = {} as Exports;
  (script.runInThisContext() as (exports: Exports, require: NodeJS.Require) => void)(exports, createRequire(file));
  if (cachedData !== undefined && !script.cachedDataRejected) return { exports };
  return { exports, keep: () => write(folders, place, script.createCachedData()) };
}

function keptIn(folders: readonly string[], place: string): Buffer | undefined {
  try {
    return folders.every((folder) => isPrivateFolder(lstatSync(folder))) ? readFileSync(place) : undefined;
  } catch {
    return undefined;
  }
}

function write(folders: readonly string[], place: string, bytes: Buffer): void {
  for (const folder of folders) makePrivateFolder(folder);
  replaceFile(place, bytes);
  const oldest = Date.now() - FORGOTTEN_AFTER_MS;
  for (const name of readdirSync(dirname(place))) {
    const path = join(dirname(place), name);
    if (lstatSync(path).mtimeMs < oldest) rmSync(path, { recursive: true, force: true });
  }
}

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../system/home-folder.ts";
import { readRegularFile } from "../transcripts/open-regular-file.ts";
import type { FoundFile } from "./find-transcripts.ts";
import type { FileRecord } from "./run-record.ts";

/** Stores the results of earlier scans by file. The folder is safe to delete at any time. */
export interface ScanCache {
  /** The stored record. Undefined if there is none or the file has changed. */
  get(file: FoundFile): FileRecord | undefined;
  /** Stores a record. Does nothing if the cache cannot be written. */
  set(file: FoundFile, record: FileRecord): void;
}

interface Entry {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly record: FileRecord;
}

/** Raise this when the records or the output of a reader change between two releases. */
const LAYOUT = 12;
const MAX_AGE_MS = 45 * 86_400_000;
const MAX_ENTRY_BYTES = 64_000_000;

/**
 * Opens the cache for one version and one set of options, because both affect the result.
 *
 * Entries contain what a report shows without content: tools, base names and counts. Only the file's owner can read
 * them.
 */
export function openScanCache(folder: string, version: string, options: unknown): ScanCache {
  const salt = JSON.stringify([LAYOUT, version, options]);
  const pathOf = ({ path }: FoundFile): string =>
    join(folder, `${createHash("sha256").update(salt).update(path).digest("hex").slice(0, 32)}.json`);
  let isReady: boolean | undefined;

  const prepare = (): boolean => {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removeOld(folder);
      return true;
    } catch {
      return false;
    }
  };

  return {
    get(file) {
      try {
        const entry = JSON.parse(readRegularFile(pathOf(file), MAX_ENTRY_BYTES)?.toString("utf8") ?? "") as Entry;
        const isSame = entry.path === file.path && entry.size === file.size && entry.modifiedMs === file.modifiedMs;
        return isSame ? entry.record : undefined;
      } catch {
        return undefined;
      }
    },
    set(file, record) {
      isReady ??= prepare();
      if (!isReady) return;
      const entry: Entry = { path: file.path, size: file.size, modifiedMs: file.modifiedMs, record };
      const path = pathOf(file);
      const unfinished = `${path}.${process.pid}`;
      try {
        const text = JSON.stringify(entry);
        if (text.length > MAX_ENTRY_BYTES) return;
        writeFileSync(unfinished, text, { mode: 0o600 });
        renameSync(unfinished, path);
      } catch {
        rmSync(unfinished, { force: true });
      }
    },
  };
}

/** The platform's cache folder. */
export function cacheFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (env.DOOMLOOP_CACHE) return env.DOOMLOOP_CACHE;
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "doomloop");
  if (platform === "darwin") return join(homeFolder(), "Library", "Caches", "doomloop");
  if (platform === "win32")
    return join(env.LOCALAPPDATA ?? join(homeFolder(), "AppData", "Local"), "doomloop", "Cache");
  return join(homeFolder(), ".cache", "doomloop");
}

/** Removes entries that have not been written for a while. */
function removeOld(folder: string): void {
  const oldest = Date.now() - MAX_AGE_MS;
  for (const name of readdirSync(folder)) {
    if (!/^[0-9a-f]{32}\.json(?:\.\d{1,10})?$/.test(name)) continue;
    const path = join(folder, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? oldest) < oldest) rmSync(path, { force: true });
  }
}

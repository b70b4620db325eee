import { type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import { kindOfFile } from "../transcripts/open-regular-file.ts";
import type { TranscriptEnvironment, TranscriptReader } from "../transcripts/reader.ts";
import type { PassedOver } from "./report-builder.ts";
import { walkFolder } from "./walk-folder.ts";

/** A file that may be a transcript. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** Files that may be transcripts, and paths that were skipped. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  readonly passedOver: readonly PassedOver[];
}

/** Finds files in the folders where agents keep their transcripts. Returns early when the signal aborts. */
export async function findOnMachine(
  readers: readonly TranscriptReader[],
  machine: TranscriptEnvironment,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const collection = createCollection();
  for (const reader of readers) {
    const isOther = (path: string): boolean => reader.isOther?.(path) === true;
    for (const root of reader.roots(machine)) await collection.addFolder(root, { readers: [reader], isOther, signal });
  }
  return collection.found();
}

/**
 * Finds the files at a path: the file itself, whatever its name, or the files of a folder that a reader may recognise.
 * The path may be a link.
 *
 * Throws the `node:fs` error, and an error if the path is neither a file nor a folder.
 */
export async function findAt(
  named: string,
  readers: readonly TranscriptReader[],
  signal: AbortSignal,
): Promise<FoundFiles> {
  const collection = createCollection();
  const path = resolve(named);
  const facts = statSync(path);
  if (facts.isDirectory()) await collection.addFolder(path, { readers, isOther: () => false, signal });
  else if (facts.isFile()) collection.addFile(path, facts, readers);
  else throw new Error(`it is ${kindOfFile(facts)}`);
  return collection.found();
}

interface FolderOptions {
  readonly readers: readonly TranscriptReader[];
  readonly isOther: (path: string) => boolean;
  readonly signal: AbortSignal;
}

interface Collection {
  addFile(path: string, facts: Stats, readers: readonly TranscriptReader[]): void;
  addFolder(root: string, options: FolderOptions): Promise<void>;
  found(): FoundFiles;
}

/** Collects each file once, even if several folders lead to it. */
function createCollection(): Collection {
  const files = new Map<string, FoundFile>();
  const passedOver = new Map<string, PassedOver>();
  const addFile: Collection["addFile"] = (path, facts, readers) => {
    files.set(path, foundFile(path, facts, readers));
  };
  return {
    addFile,
    async addFolder(root, { readers, isOther, signal }) {
      const extensions = [...new Set(readers.flatMap((reader) => reader.extensions))];
      const isPart = (path: string): boolean => readers.some((reader) => reader.isPart?.(path) === true);
      await walkFolder(root, {
        signal,
        isWanted: (path) => hasExtension(path, extensions) && !isPart(path) && !isOther(path),
        onFile: (path, facts) => addFile(path, facts, readers),
        onPassedOver: (passed) => void passedOver.set(passed.path, passed),
      });
    },
    found: () => ({ files: [...files.values()], passedOver: [...passedOver.values()] }),
  };
}

/** Includes the files that are read together with this one: the size is the sum, the time is the latest. */
function foundFile(path: string, facts: Stats, readers: readonly TranscriptReader[]): FoundFile {
  let { size, mtimeMs } = facts;
  for (const companion of readers.flatMap((reader) => reader.companions?.(path) ?? [])) {
    const more = statSync(companion, { throwIfNoEntry: false });
    if (more === undefined) continue;
    size += more.isFile() ? more.size : 0;
    mtimeMs = Math.max(mtimeMs, more.mtimeMs);
  }
  return { path, size, modifiedMs: mtimeMs };
}

function hasExtension(path: string, extensions: readonly string[]): boolean {
  const lower = path.toLowerCase();
  const plain = lower.endsWith(".gz") ? lower.slice(0, -3) : lower;
  return extensions.some((extension) => plain.endsWith(extension));
}

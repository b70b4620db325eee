import { type Dirent, opendirSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TranscriptEnvironment, TranscriptReader } from "../../transcripts/reader.ts";

/** A file that may be a transcript. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly modifiedMs: number;
}

/** Folders that hold other people's files by the thousand. */
const SKIPPED_FOLDERS = new Set(["node_modules", ".git"]);
const MAX_FILES = 200_000;
const MAX_DEPTH = 24;

/** The files in the folders where agents keep their transcripts on a machine. */
export function findOnMachine(readers: readonly TranscriptReader[], machine: TranscriptEnvironment): FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const reader of readers) {
    for (const root of reader.roots(machine)) collect(root, [reader], found);
  }
  return [...found.values()];
}

/** The files that a path names: the file itself whatever its name, or those of a folder that a reader might take. Throws as `node:fs` does. */
export function findAt(named: string, readers: readonly TranscriptReader[]): FoundFile[] {
  const found = new Map<string, FoundFile>();
  const path = resolve(named);
  const facts = statSync(path);
  if (facts.isDirectory()) collect(path, readers, found);
  else found.set(path, foundFile(path, facts, readers));
  return [...found.values()];
}

/** A file counts with what is read together with it: as large as all of it, as young as the youngest. */
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

/** Walks a folder without recursion and without following links: a link may lead in a circle. What cannot be read is passed over. */
function collect(root: string, readers: readonly TranscriptReader[], found: Map<string, FoundFile>): void {
  const extensions = [...new Set(readers.flatMap((reader) => reader.extensions))];
  const isPart = (path: string): boolean => readers.some((reader) => reader.isPart?.(path) === true);
  const waiting = [{ path: root, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined && found.size < MAX_FILES; next = waiting.pop()) {
    const facts = statSync(next.path, { throwIfNoEntry: false });
    if (facts === undefined) continue;
    if (!facts.isDirectory()) {
      if (facts.isFile()) found.set(next.path, foundFile(next.path, facts, readers));
      continue;
    }
    for (const entry of entriesOf(next.path)) {
      const path = join(next.path, entry.name);
      const isWanted = entry.isDirectory()
        ? next.depth < MAX_DEPTH && !SKIPPED_FOLDERS.has(entry.name)
        : entry.isFile() && hasExtension(entry.name, extensions) && !isPart(path);
      if (isWanted && !found.has(path)) waiting.push({ path, depth: next.depth + 1 });
    }
  }
}

function entriesOf(path: string): readonly Dirent[] {
  const entries: Dirent[] = [];
  try {
    const folder = opendirSync(path, { bufferSize: 256 });
    try {
      for (let entry = folder.readSync(); entry !== null && entries.length < MAX_FILES; entry = folder.readSync())
        entries.push(entry);
    } finally {
      folder.closeSync();
    }
  } catch {
    // A folder that is closed to us holds nothing for us.
  }
  return entries;
}

function hasExtension(name: string, extensions: readonly string[]): boolean {
  const lower = name.toLowerCase();
  const plain = lower.endsWith(".gz") ? lower.slice(0, -3) : lower;
  return extensions.some((extension) => plain.endsWith(extension));
}

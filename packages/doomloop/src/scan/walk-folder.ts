import { type Dirent, opendirSync, realpathSync, type Stats, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { createTurns } from "../transcripts/turns.ts";
import type { PassedOver } from "./report-builder.ts";

interface WalkOptions {
  readonly signal: AbortSignal;
  /** Whether a file with this path may be a transcript. */
  readonly isWanted: (path: string) => boolean;
  readonly onFile: (path: string, facts: Stats) => void;
  readonly onPassedOver: (passed: PassedOver) => void;
}

/** Folders with thousands of files that are not the user's. */
const SKIPPED_FOLDERS = new Set(["node_modules", ".git"]);
const MAX_FILES = 200_000;
const MAX_DEPTH = 24;

/**
 * Walks a folder, or takes a single file, without recursion. Returns early when the signal aborts.
 *
 * The root may be a link. Links inside are not followed: their target is either in the folder anyway or does not belong
 * to it.
 */
export async function walkFolder(root: string, options: WalkOptions): Promise<void> {
  const { signal, isWanted, onFile, onPassedOver } = options;
  const turns = createTurns();
  const waiting = [{ path: root, depth: 0 }];
  let count = 0;

  const takeFile = (path: string): void => {
    const facts = factsOf(path);
    if (facts?.isFile() !== true) return;
    count++;
    onFile(path, facts);
  };

  const takeEntry = (entry: Dirent, path: string, depth: number): void => {
    if (entry.isDirectory()) {
      if (SKIPPED_FOLDERS.has(entry.name)) return;
      if (depth < MAX_DEPTH) waiting.push({ path, depth: depth + 1 });
      else onPassedOver({ path, reason: "deep" });
    } else if (entry.isSymbolicLink()) {
      if (leadsOut(path, root, isWanted)) onPassedOver({ path, reason: "link" });
    } else if (isWanted(path)) {
      if (entry.isFile()) takeFile(path);
      else onPassedOver({ path, reason: "special" });
    }
  };

  const first = factsOf(root);
  if (first === undefined) {
    if (isThere(root)) onPassedOver({ path: root, reason: "closed" });
    return;
  }
  if (!first.isDirectory()) {
    if (first.isFile()) takeFile(root);
    else onPassedOver({ path: root, reason: "special" });
    return;
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of entriesOf(next.path, onPassedOver)) {
      if (signal.aborted) return;
      if (count >= MAX_FILES) {
        onPassedOver({ path: root, reason: "many" });
        return;
      }
      takeEntry(entry, join(next.path, entry.name), next.depth);
      await turns.pause();
    }
  }
}

/**
 * Whether a link leads out of the folder, to another folder or to a file that would be read. Broken links do not count.
 */
function leadsOut(path: string, root: string, isWanted: (path: string) => boolean): boolean {
  const facts = factsOf(path);
  if (facts === undefined || (!facts.isDirectory() && !isWanted(path))) return false;
  try {
    const way = relative(realpathSync(root), realpathSync(path));
    return way === ".." || way.startsWith(`..${sep}`) || way.startsWith(sep) || /^[a-z]:/i.test(way);
  } catch {
    return false;
  }
}

/** Undefined if the path does not exist or cannot be read. */
function factsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Whether the path exists although it cannot be read: a parent folder is closed, or links form a circle. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function* entriesOf(path: string, onPassedOver: WalkOptions["onPassedOver"]): Generator<Dirent> {
  try {
    const folder = opendirSync(path, { bufferSize: 256 });
    try {
      for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) yield entry;
    } finally {
      folder.closeSync();
    }
  } catch {
    onPassedOver({ path, reason: "closed" });
  }
}

import type { FoundFile } from "./find-transcripts.ts";

/** Files that wait to be scanned. */
export interface FileQueue {
  /** The file that is next; undefined if none is left. */
  take(): FoundFile | undefined;
}

/** About how much text a compressed transcript holds for each of its bytes. */
const GZIP_FACTOR = 7;

/** About how many bytes there are to read in a file. */
export function weightOf({ path, size }: FoundFile): number {
  return path.endsWith(".gz") ? size * GZIP_FACTOR : size;
}

/**
 * Puts files in a row, the newest first: they are what people ask about.
 *
 * A file that is larger than a thread's share of what is left goes first, so that no thread is left alone with it at the end.
 */
export function createFileQueue(files: readonly FoundFile[], threads: number): FileQueue {
  const newest = [...files].sort((one, other) => other.modifiedMs - one.modifiedMs || byPath(one, other));
  const largest = [...files].sort((one, other) => weightOf(other) - weightOf(one) || byPath(one, other));
  const taken = new Set<FoundFile>();
  let left = files.reduce((sum, file) => sum + weightOf(file), 0);
  let next = 0;
  let nextLargest = 0;
  return {
    take() {
      while (next < newest.length && taken.has(newest[next]!)) next++;
      while (nextLargest < largest.length && taken.has(largest[nextLargest]!)) nextLargest++;
      const giant = largest[nextLargest];
      const file = giant !== undefined && weightOf(giant) * threads > left ? giant : newest[next];
      if (file === undefined) return undefined;
      taken.add(file);
      left -= weightOf(file);
      return file;
    },
  };
}

function byPath(one: FoundFile, other: FoundFile): number {
  return one.path < other.path ? -1 : 1;
}

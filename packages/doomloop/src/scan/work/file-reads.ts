import type { FileCounts, FilesReadMost } from "./run-work.ts";

/** A file as a call reads it. */
interface ReadFile {
  /** Kept only while the run is read. */
  readonly path: string;
  /** What a report may say of it. */
  readonly what: string | null;
  /** Identity of the text that came back. Undefined if it is unknown. */
  readonly text: string | undefined;
}

/** Counts which files a run reads again, and which after a compaction. */
export interface FileReadWatch {
  note(file: ReadFile): void;
  compaction(): void;
  /** What was counted since the last time. */
  take(): FileCounts;
  finish(): FilesReadMost;
}

interface KnownFile {
  readonly what: string | null;
  times: number;
  unchanged: number;
  text: string | undefined;
  /** The number of compactions before its latest read. */
  age: number;
  lost: number;
}

/** Files beyond this number are only counted. */
const MAX_FILES = 2_000;
const MAX_PATH = 400;
const MAX_LISTED = 5;
/** A file that was read twice is nothing to talk about. */
const LEAST_TIMES = 3;

export function createFileReadWatch(): FileReadWatch {
  const files = new Map<string, KnownFile>();
  let [reads, again, unchanged, readAgain, compactions] = [0, 0, 0, 0, 0];

  return {
    note({ path, what, text }) {
      reads++;
      const key = path.slice(-MAX_PATH);
      const known = files.get(key);
      if (known === undefined) {
        if (files.size < MAX_FILES) files.set(key, { what, times: 1, unchanged: 0, text, age: compactions, lost: 0 });
        return;
      }
      again++;
      known.times++;
      if (text !== undefined && text === known.text) {
        unchanged++;
        known.unchanged++;
      }
      if (known.age < compactions) {
        readAgain++;
        known.lost++;
      }
      known.text = text;
      known.age = compactions;
    },
    compaction() {
      compactions++;
    },
    take() {
      const counts = { reads, again, unchanged, readAgain };
      [reads, again, unchanged, readAgain] = [0, 0, 0, 0];
      return counts;
    },
    finish() {
      const all = [...files.values()];
      const often = all.filter(({ times }) => times >= LEAST_TIMES).sort((one, other) => other.times - one.times);
      const lost = all.filter((file) => file.lost > 0).sort((one, other) => other.lost - one.lost);
      return {
        most: often.slice(0, MAX_LISTED).map(({ what, times, unchanged: same }) => ({ what, times, unchanged: same })),
        lost: lost.slice(0, MAX_LISTED).map(({ what, lost: times }) => ({ what, times })),
      };
    },
  };
}

import {
  closeSync,
  constants,
  futimesSync,
  lstatSync,
  openSync,
  readdirSync,
  rmdirSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { REMOVED_AFTER_MS } from "./expiry.ts";
import { generationNumbers } from "./generation-numbers.ts";
import { isPrivateFolder } from "./private-folder.ts";

export interface RemoveExpiredOptions {
  /** The folder of all journals. */
  readonly directory: string;
  /**
   * How long nothing is done after it was done, by whatever process, in milliseconds.
   * @default 3_600_000, an hour
   */
  readonly intervalMs?: number;
  /**
   * How many journals are looked at, beginning anywhere.
   * @default 256
   */
  readonly maxJournals?: number;
  /**
   * Milliseconds since 1970.
   * @default Date.now
   */
  readonly now?: () => number;
}

const MARKER = "swept";
const JOURNAL = /^[0-9a-f]{40}$/;
const { O_CREAT, O_WRONLY } = constants;
const CAUTION = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Removes journals that nobody has written to for seven days, and returns how many. Never throws: what cannot be removed stays.
 *
 * It follows no symbolic link and leaves alone what it does not know. Call it when the hook has answered.
 */
export function removeExpired(options: RemoveExpiredOptions): number {
  const { directory, intervalMs = 3_600_000, maxJournals = 256, now = Date.now } = options;
  try {
    if (!isPrivateFolder(lstatSync(directory)) || !takeTurn(join(directory, MARKER), now(), intervalMs)) return 0;
    const names = readdirSync(directory).filter((name) => JOURNAL.test(name));
    const begin = Math.floor(Math.random() * names.length);
    const chosen = [...names.slice(begin), ...names.slice(0, begin)].slice(0, maxJournals);
    return chosen.filter((name) => removeJournal(join(directory, name), now() - REMOVED_AFTER_MS)).length;
  } catch {
    return 0;
  }
}

/** Whether it is time again. Notes it before the work, so that others do not do it as well and a kill does not bring it back at once. */
function takeTurn(marker: string, nowMs: number, intervalMs: number): boolean {
  const last = lstatSync(marker, { throwIfNoEntry: false })?.mtimeMs;
  // A time to come is of a clock that was set back since.
  if (last !== undefined && Math.abs(nowMs - last) < intervalMs) return false;
  const descriptor = openSync(marker, O_WRONLY | O_CREAT | CAUTION, 0o600);
  try {
    futimesSync(descriptor, nowMs / 1000, nowMs / 1000);
  } finally {
    closeSync(descriptor);
  }
  return true;
}

function removeJournal(folder: string, limitMs: number): boolean {
  const isOld = (stats: Stats) => stats.mtimeMs < limitMs;
  try {
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || !isOld(stats)) return false;
    const files = generationNumbers(folder).map((number) => join(folder, String(number)));
    if (!files.every((file) => isOld(lstatSync(file)))) return false;
    // The latest goes last: a journal that is half removed still ends with its latest state.
    for (const file of files) unlinkSync(file);
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

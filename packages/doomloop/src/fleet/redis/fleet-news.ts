import { randomInt } from "node:crypto";
import type { FleetKeys } from "./fleet-keys.ts";
import { cappedCounts, type Suspect } from "./known-suspects.ts";
import { type Command, listIn, numberIn, textIn } from "./redis-commands.ts";

/** Entries that the store keeps. A page of them has about 6 KB. */
const MAX_ENTRIES = 256;
export const PAGE = 64;
const MAX_TEXT = 512;
const NAME = /^[\w-]{22}$/;
const MAX_TOOL = 80;
/** The version grows by random steps, so that a store that was emptied does not reach the same number again. */
const MAX_STEP = 2 ** 20;

/** Adds an entry about a suspect. One that was cleared has 0 calls. */
export function tellNews(keys: FleetKeys, suspect: Suspect, windowMs: number): Command[] {
  const { name, tool, calls, workers, lastsMs } = suspect;
  const text = JSON.stringify([name, tool, calls, workers, lastsMs]);
  const keptMs = String(2 * windowMs);
  return [
    ["XADD", keys.news, "MAXLEN", "=", String(MAX_ENTRIES), "*", "s", text],
    ["PEXPIRE", keys.news, keptMs],
    ["INCRBY", keys.version, String(randomInt(1, MAX_STEP))],
    ["PEXPIRE", keys.version, keptMs],
  ];
}

/** Asks for the page after an entry, or for the first page, and for the server's time. */
export function readNews(keys: FleetKeys, after: string | undefined): Command[] {
  return [["XRANGE", keys.news, after === undefined ? "-" : `(${after}`, "+", "COUNT", String(PAGE)], ["TIME"]];
}

/**
 * Reads a page. Entries that cannot be read are skipped, and none holds for longer than a window. If the server's clock was set back, the
 * age of an entry is unknown. `isNew` says that the caller has read all earlier entries, so this page is new.
 */
export function readNewsPage([entries, time]: readonly unknown[], windowMs: number, isNew = false) {
  const [seconds = Number.NaN, microseconds = 0] = listIn(time).map(numberIn);
  const nowMs = seconds * 1000 + microseconds / 1000;
  const found = listIn(entries).map((entry) => {
    const [id, fields] = listIn(entry);
    const ageMs = nowMs - Number.parseInt(textIn(id) ?? "", 10);
    const knownMs = isNew ? Math.max(0, ageMs) : ageMs;
    return { id: textIn(id), suspect: suspectIn(textIn(listIn(fields)[1]), knownMs, windowMs) };
  });
  return {
    /** The latest entry about each fingerprint holds. One without calls was cleared. */
    suspects: found.flatMap(({ suspect }) => suspect ?? []),
    /** The id of the last entry, to continue from; undefined if the page was empty. */
    last: found.at(-1)?.id,
    isFull: found.length >= PAGE,
  };
}

function suspectIn(text: string | undefined, ageMs: number, windowMs: number): Suspect | undefined {
  if (text === undefined || text.length > MAX_TEXT || !(ageMs >= 0)) return undefined;
  try {
    const [name, tool, ...numbers] = listIn(JSON.parse(text));
    const [calls, workers, lastsMs] = numbers.map(numberIn);
    if (typeof name !== "string" || !NAME.test(name) || typeof tool !== "string") return undefined;
    if (calls === undefined || workers === undefined || lastsMs === undefined) return undefined;
    const lasts = { lastsMs: Math.min(lastsMs, windowMs) - ageMs };
    return { name, tool: tool.slice(0, MAX_TOOL), ...cappedCounts([calls, workers]), ...lasts };
  } catch {
    return undefined;
  }
}

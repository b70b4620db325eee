import { randomInt } from "node:crypto";
import { counted, type Suspect } from "./dead-ends.ts";
import type { FleetKeys } from "./fleet-keys.ts";
import type { Command } from "./redis-commands.ts";
import { listIn, numberIn, textIn } from "./replies.ts";

/** Entries that are kept, and those of one page: some 6 KB. */
const MAX_ENTRIES = 256;
export const PAGE = 64;
const MAX_TEXT = 512;
const NAME = /^[\w-]{22}$/;
const MAX_TOOL = 80;
/** The version grows by chance, so that a store that was emptied comes by no number a second time. */
const MAX_STEP = 2 ** 20;

/** Adds what became of a fingerprint; one that counts no more has no calls. */
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

/** Asks for a page of what came after an entry, or for the first one, and for the time. */
export function readNews(keys: FleetKeys, after: string | undefined): Command[] {
  return [["XRANGE", keys.news, after === undefined ? "-" : `(${after}`, "+", "COUNT", String(PAGE)], ["TIME"]];
}

/**
 * Reads a page. An entry that cannot be read is passed over, and none lasts longer than a window. Where the server's clock was set back, it
 * cannot be told how old one is: only whoever has read all before knows that it `isNew`.
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
    /** The latest of each fingerprint is true; those without calls count no more. */
    suspects: found.flatMap(({ suspect }) => suspect ?? []),
    /** The entry to go on after; undefined if there was none. */
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
    return { name, tool: tool.slice(0, MAX_TOOL), ...counted([calls, workers]), ...lasts };
  } catch {
    return undefined;
  }
}

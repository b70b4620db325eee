import type { StoreNews, Suspect } from "../store.ts";
import { cappedCounts } from "../store.ts";
import { numberIn } from "./redis-commands.ts";

/**
 * The news are lines of text that processes append to a key, one key for each window of the server's time. Readers remember how far they
 * have read, and ask for a bounded part of the rest. Whatever somebody appends, other lines stay readable, and nobody reads more than asked.
 */

/** Bytes that are read at once, and the most that a reader reads at one heartbeat. */
export const PAGE = 16_384;
export const MAX_READ = 4 * PAGE;
/** Longer lines are not ours. */
const MAX_LINE = 512;
const NAME = /^[\w-]{22}$/;
const WITNESS = /^[\w-]{1,16}$/;
const MAX_TOOL = 80;
/** The times of two servers may differ by this much. */
const MAX_SKEW_MS = 60_000;

/** How much of the beginning tells one text from another: the time of its first line, and whom it is about. */
export const HEAD = 32;

/** A line about a suspect. It begins and ends with a line break, so that it stands alone whatever is before it. */
export function newsLine({ name, tool, calls, workers, lastsMs, by }: Suspect, atMs: number): string {
  const who = by === undefined ? [] : [by];
  return `\n${JSON.stringify([Math.round(atMs), name, tool, calls, workers, Math.round(lastsMs), ...who])}\n`;
}

/** What can be read of a part of the news. */
export interface NewsPage {
  readonly news: readonly StoreNews[];
  /** How many bytes were used up. The rest is the beginning of a line. */
  readonly used: number;
}

/** Reads a part of the news. Lines that cannot be read are skipped, and none holds for longer than a window. */
export function readNewsPage(bytes: Uint8Array, nowMs: number, windowMs: number): NewsPage {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, end).toString("utf8").split("\n");
  const rest = bytes.length - end;
  return {
    news: lines.flatMap((line) => (line === "" || line.length > MAX_LINE ? [] : (newsIn(line, nowMs, windowMs) ?? []))),
    used: rest > MAX_LINE ? bytes.length : end,
  };
}

function newsIn(line: string, nowMs: number, windowMs: number): StoreNews | undefined {
  let values: unknown;
  try {
    values = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!Array.isArray(values)) return undefined;
  const [time, name, tool, ...numbers] = values as unknown[];
  const [atMs, calls, workers, lastsMs] = [time, ...numbers].map(numberIn);
  if (typeof name !== "string" || !NAME.test(name) || typeof tool !== "string") return undefined;
  if (calls === undefined || workers === undefined || lastsMs === undefined || atMs === undefined) return undefined;
  if (atMs > nowMs + MAX_SKEW_MS) return undefined;
  const ageMs = Math.max(0, nowMs - atMs);
  const lasts = { lastsMs: Math.min(lastsMs, windowMs) - ageMs, ageMs };
  const by = numbers[3];
  const who = typeof by === "string" && WITNESS.test(by) ? { by } : {};
  return { name, tool: tool.slice(0, MAX_TOOL), ...cappedCounts([calls, workers]), ...lasts, ...who };
}

import { createRecencyTable } from "./recency-table.ts";
import type { StoreNews } from "./store.ts";

/** A suspected call whose counts were cleared within a window. */
export interface ClearedCall {
  readonly name: string;
  /** A worker wrote it: escape it before you show it. */
  readonly tool: string;
  /** How often its counts were cleared, up to 32. */
  readonly times: number;
  /** How often nobody said so: somebody removed the counts from the store. */
  readonly unsaid: number;
  /** The processes that said so, by their names in the store, at most 8. Workers can forge them. */
  readonly by: readonly string[];
}

interface Known {
  tool: string;
  /** When the counts began that are not cleared, as far as the news tell. */
  beganAt: number | undefined;
  clears: readonly { readonly at: number; readonly by: string | undefined }[];
}

const MAX_CALLS = 256;
const MAX_CLEARS = 32;
const MAX_NAMES = 8;
const MAX_LISTED = 8;
/** By how much two readings may disagree about when the same counts began. */
const SLACK_MS = 1500;
/** A store may return a line twice, and its age is known to about this. */
const JITTER_MS = 50;
const MAX_SEEN = 256;
/** Stands for a process that said that it cleared counts, but not who it is. */
const NOT_NAMED = "?";

/** What a store counts for a call. */
type SeenCounts = Pick<StoreNews, "name" | "lastsMs">;

export type ClearedCalls = ReturnType<typeof createClearedCalls>;

/**
 * Reads from the news and the counts who cleared what. Counts begin with the first call, and end a window later or when a process says that
 * it cleared them. So counts that begin again in between were removed, and nobody said so.
 */
export function createClearedCalls(windowMs: number) {
  const calls = createRecencyTable<Known>(MAX_CALLS);
  const seen = createRecencyTable<{ readonly lastsMs: number; readonly at: number }>(MAX_SEEN);

  const add = (known: Known, at: number, by: string | undefined): void => {
    if (at - clearedAt(known) <= JITTER_MS) return;
    known.clears = [...known.clears, { at, by }].slice(-MAX_CLEARS);
  };

  /** Counts that hold for so much longer were seen at this time. Adds a removal if they began anew. */
  const compare = (known: Known, lastsMs: number, at: number): void => {
    const beganAt = at + lastsMs - windowMs;
    const sinceMs = beganAt - (known.beganAt ?? Infinity);
    if (sinceMs <= SLACK_MS) return;
    if (sinceMs < windowMs) add(known, at, undefined);
    known.beganAt = beganAt;
  };

  return {
    /** Takes a line of the news; `now` is the time of the reader. */
    take({ name, tool, calls: counted, lastsMs, ageMs, by }: StoreNews, now: number): void {
      const known = calls.get(name) ?? { tool, beganAt: undefined, clears: [] };
      calls.set(name, known);
      if (tool !== "") known.tool = tool;
      if (counted === 0) {
        add(known, now - ageMs, by ?? NOT_NAMED);
        known.beganAt = undefined;
      } else if (known.beganAt !== undefined) compare(known, lastsMs + ageMs, now - ageMs);
      // A line that comes late may be about the counts that were just cleared.
      else if (now + lastsMs - windowMs > clearedAt(known) - JITTER_MS) known.beganAt = now + lastsMs - windowMs;
    },
    /** Notes what the store counts now. The news may still tell why. */
    see({ name, lastsMs }: SeenCounts, now: number): void {
      if (seen.get(name) === undefined) seen.set(name, { lastsMs, at: now });
    },
    /** The news up to this time were read: compares what was seen before with them. */
    settle(until: number): void {
      for (const [name, { lastsMs, at }] of seen.entries()) {
        if (at > until) continue;
        seen.delete(name);
        const known = calls.get(name);
        // Only what the news call a suspect is cleared with a word there, and what was seen before that word proves nothing.
        if (known?.beganAt !== undefined && at > clearedAt(known)) compare(known, lastsMs, at);
      }
    },
    /** What was cleared within the last window: first what most often nobody said. */
    list(now: number): ClearedCall[] {
      const listed = [...calls.entries()].flatMap(([name, { tool, clears }]) => {
        const latest = clears.filter(({ at }) => at > now - windowMs);
        const said = latest.flatMap(({ by }) => by ?? []);
        const by = [...new Set(said)].slice(0, MAX_NAMES);
        return latest.length === 0 ? [] : { name, tool, times: latest.length, unsaid: latest.length - said.length, by };
      });
      return listed.sort((one, other) => other.unsaid - one.unsaid || other.times - one.times).slice(0, MAX_LISTED);
    },
  };
}

/** When the counts were last cleared. */
function clearedAt({ clears }: Known): number {
  return clears.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
}

import { type ClearedCall, createClearedCalls } from "../cleared-calls.ts";
import { type FleetSettings, readSettings } from "../process/fleet-settings.ts";
import { createNewsReader } from "../redis/news-reader.ts";
import { type Command, listIn, numberIn, textIn } from "../redis/redis-commands.ts";
import { cappedCounts, isDeadEnd, type Suspect } from "../store.ts";
import type { FleetStore } from "./open-store.ts";

/** A call that is a dead end or may become one. A worker wrote the tool's name: escape it before you show it. */
export interface SeenSuspect extends Suspect {
  readonly isDeadEnd: boolean;
  /** True if it was counted just now. Otherwise the counts are those that a worker announced, and may be too low. */
  readonly isOfNow: boolean;
}

/** What a store knows about a fleet at one moment. */
export interface FleetReading {
  /** The value of the fleet's switch; undefined if nobody has set it. */
  readonly switch: string | undefined;
  readonly settings: FleetSettings | undefined;
  /** True if a worker has connected to this fleet before. */
  readonly isUsed: boolean;
  /** Runs active within the window. */
  readonly runs: number;
  /** Dead ends first, then those with the most calls. */
  readonly suspects: readonly SeenSuspect[];
  /** Calls whose counts were cleared within the window: first what most often nobody said. */
  readonly cleared: readonly ClearedCall[];
  /** Why some suspects could not be counted now. */
  readonly fault: string | undefined;
}

/** More than the news can have. */
const MAX_PAGES = 8;
/** The default of `windowMs`, for a fleet whose settings cannot be read. */
const WINDOW_MS = 300_000;
/** Settings are shorter than this. */
const MAX_SETTINGS = 256;

/**
 * Reads the state of a fleet. It uses only commands that workers may use, too, and changes nothing. Rejects if the store
 * does not answer as expected.
 */
export async function readFleet(store: FleetStore): Promise<FleetReading> {
  const { keys } = store;
  const [values, settingsText, runs] = await store.ask([
    ["MGET", keys.switch],
    readSettingsText(store),
    ["PFCOUNT", keys.runs],
  ]);
  const [switched] = listIn(values).map(textIn);
  const agreed = textIn(settingsText) || undefined;
  const settings = readSettings(agreed);
  const windowMs = settings?.windowMs ?? WINDOW_MS;
  const { told, cleared } = await readSuspects(store, windowMs);
  const seen = await Promise.all(told.map((suspect) => countNow(store, suspect, settings)));
  for (const { suspect } of seen) {
    // Counts that are gone can only begin now.
    const lastsMs = suspect.calls === 0 ? windowMs : suspect.lastsMs;
    if (suspect.isOfNow) cleared.see({ name: suspect.name, lastsMs }, Date.now());
  }
  cleared.settle(Date.now());
  return {
    ...{ switch: switched, settings, isUsed: agreed !== undefined },
    runs: numberIn(runs) ?? 0,
    suspects: seen
      .map(({ suspect }) => suspect)
      .filter(({ calls }) => calls > 0)
      .sort(worstFirst),
    cleared: cleared.list(Date.now()),
    fault: seen.find(({ fault }) => fault !== undefined)?.fault,
  };
}

/** Asks for the settings, up to the length that they can have. */
export function readSettingsText({ keys }: FleetStore): Command {
  return ["GETRANGE", keys.settings, "0", String(MAX_SETTINGS - 1)];
}

/** The latest news about each fingerprint that still counts, and what was cleared. */
async function readSuspects({ ask, keys }: FleetStore, windowMs: number) {
  const cleared = createClearedCalls(windowMs);
  const reader = createNewsReader(ask, keys, windowMs);
  const latest = new Map<string, Suspect>();
  let cursor: unknown;
  for (let page = 0, isMore = true; isMore && page < MAX_PAGES; page++) {
    const question = reader.question(cursor);
    const read = await reader.read(question, await ask(question.commands), cursor);
    for (const { ageMs, ...suspect } of read.news) {
      cleared.take({ ageMs, ...suspect }, Date.now());
      latest.set(suspect.name, suspect);
    }
    cursor = read.cursor;
    isMore = read.isMore;
  }
  const told = [...latest.values()].filter(({ calls, lastsMs }) => calls > 0 && lastsMs > 0);
  return { told, cleared };
}

/** Replaces the announced counts, which may be old, by current ones. A single server of a Cluster does not have all of them. */
async function countNow(store: FleetStore, told: Suspect, settings: FleetSettings | undefined) {
  const seen = (suspect: Suspect, isOfNow: boolean): SeenSuspect => ({
    ...{ ...suspect, isOfNow },
    isDeadEnd: settings !== undefined && isDeadEnd(suspect, settings),
  });
  try {
    return { suspect: seen({ ...told, ...(await readCounts(store, told.name)) }, true), fault: undefined };
  } catch (error) {
    return { suspect: seen(told, false), fault: error instanceof Error ? error.message : String(error) };
  }
}

function worstFirst(one: SeenSuspect, other: SeenSuspect): number {
  return Number(other.isDeadEnd) - Number(one.isDeadEnd) || other.calls - one.calls || other.workers - one.workers;
}

/** What the store counts for a fingerprint now; 0 calls if it counts none. */
export async function readCounts(
  { ask, keys }: FleetStore,
  name: string,
): Promise<Pick<Suspect, "calls" | "workers" | "lastsMs">> {
  const { calls, witnesses } = keys.of(name);
  const replies = await ask([
    ["PFCOUNT", calls],
    ["PFCOUNT", witnesses],
    ["PTTL", calls],
  ]);
  const numbers = replies.map((reply) => numberIn(reply) ?? 0);
  return { ...cappedCounts(numbers), lastsMs: numbers[2] ?? 0 };
}

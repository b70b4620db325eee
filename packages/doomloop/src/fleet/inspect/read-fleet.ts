import { isFound, type Suspect } from "../redis/dead-ends.ts";
import { readNews, readNewsPage } from "../redis/news.ts";
import { listIn, numberIn, textIn } from "../redis/replies.ts";
import { readSettingsText } from "../redis/settings-text.ts";
import { type FleetSettings, readSettings } from "./fleet-settings.ts";
import type { FleetStore } from "./open-store.ts";
import { readCounts } from "./read-counts.ts";

/** A call that gets nobody further, or may turn out to be one. What its tool is called, a worker wrote. */
export interface SeenSuspect extends Suspect {
  readonly isDeadEnd: boolean;
  /** Counted now; otherwise as workers told of it, and it may be more. */
  readonly isOfNow: boolean;
}

/** What a store knows of a fleet at one moment. */
export interface FleetReading {
  /** What is written in the fleet's switch. Undefined: nothing. */
  readonly switch: string | undefined;
  readonly settings: FleetSettings | undefined;
  /** Some worker has been here. */
  readonly isUsed: boolean;
  /** Runs that were active within the window. */
  readonly runs: number;
  /** Fingerprints that were reported within the minute. */
  readonly reported: number;
  /** Dead ends first, then those with the most calls. */
  readonly suspects: readonly SeenSuspect[];
  /** Why some suspects could not be counted now. */
  readonly fault: string | undefined;
}

/** More pages than the news have. */
const MAX_PAGES = 8;
/** As long as a window is where nobody has said otherwise. */
const WINDOW_MS = 300_000;

/** Reads what there is, with commands that a worker may use and that change nothing. Rejects if the store does not answer as it should. */
export async function readFleet(store: FleetStore): Promise<FleetReading> {
  const { keys } = store;
  const [values, settingsText, runs] = await store.ask([
    ["MGET", keys.switch, keys.quota],
    readSettingsText(keys),
    ["PFCOUNT", keys.runs],
  ]);
  const [switched, reported] = listIn(values).map(textIn);
  const agreed = textIn(settingsText) || undefined;
  const settings = readSettings(agreed);
  const told = await readSuspects(store, settings?.windowMs ?? WINDOW_MS);
  const seen = await Promise.all(told.map((suspect) => countNow(store, suspect, settings)));
  return {
    ...{ switch: switched, settings, isUsed: agreed !== undefined },
    ...{ runs: numberIn(runs) ?? 0, reported: numberIn(reported) ?? 0 },
    suspects: seen
      .map(({ suspect }) => suspect)
      .filter(({ calls }) => calls > 0)
      .sort(worstFirst),
    fault: seen.find(({ fault }) => fault !== undefined)?.fault,
  };
}

/** The latest that was told of each fingerprint, for those that still count. */
async function readSuspects(store: FleetStore, windowMs: number): Promise<Suspect[]> {
  const latest = new Map<string, Suspect>();
  let after: string | undefined;
  for (let page = 0, isMore = true; isMore && page < MAX_PAGES; page++) {
    const { suspects, last, isFull } = readNewsPage(await store.ask(readNews(store.keys, after)), windowMs);
    for (const suspect of suspects) latest.set(suspect.name, suspect);
    after = last;
    isMore = isFull;
  }
  return [...latest.values()].filter(({ calls, lastsMs }) => calls > 0 && lastsMs > 0);
}

/** What was told may be older than what is counted. Of a Cluster, one server alone does not know all counts. */
async function countNow(store: FleetStore, told: Suspect, settings: FleetSettings | undefined) {
  const seen = (suspect: Suspect, isOfNow: boolean): SeenSuspect => ({
    ...{ ...suspect, isOfNow },
    isDeadEnd: settings !== undefined && isFound(suspect, settings),
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

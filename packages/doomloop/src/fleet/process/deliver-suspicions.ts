import { isDeadEnd, MAX_COUNTED, type StoreCounts, type Suspect, type Thresholds } from "../store.ts";
import { shortHash } from "./fleet-names.ts";
import type { FleetParts } from "./store-fleet.ts";
import type { StoreFault } from "./store-link.ts";
import type { Suspicion } from "./suspicions.ts";

export type Delivery = ReturnType<typeof createDelivery>;

/** A single process makes no suspect: its repeats are left to its own memory fleet. */
const LEAST_WITNESSES = 2;
/** Until a success is sent again that the store has not taken. */
const RETRY_MS = 5000;

/** What the store said to one suspicion. */
interface Counted {
  /** What was counted when the call succeeded, and was then forgotten. */
  readonly cleared: Thresholds | undefined;
  /** Undefined if there was nothing to count. */
  readonly counts: StoreCounts | undefined;
}

/**
 * Sends suspicions to the store, which counts calls and witnesses before and after. If this raises a count to another level, the suspect is
 * announced. `onDeadEnd` is called with the name of a suspect that has just become a dead end.
 *
 * Everything is added to sets, so a client that sends a command again changes nothing, and nothing counts twice.
 */
export function createDelivery(parts: FleetParts, onDeadEnd: (name: string) => void) {
  const { store, link, knownSuspects, cleared: clearedCalls, now, settings, suspicions, watch } = parts;
  const witness = shortHash(settings.witness);

  const ask = async ({ name, calls, isCleared }: Suspicion): Promise<Counted> => {
    const cleared = isCleared ? await store.forget(name) : undefined;
    const counts = calls.size === 0 ? undefined : await store.count({ name, calls: [...calls], witness });
    return { cleared, counts };
  };

  const take = ({ name, tool }: Suspicion, { cleared, counts }: Counted, news: Suspect[]): void => {
    if (cleared !== undefined && levelOf(cleared, settings) !== undefined) {
      knownSuspects.delete(name);
      news.push({ name, tool, calls: 0, workers: 0, lastsMs: 0, by: witness });
    }
    if (counts !== undefined) clearedCalls.see({ name, lastsMs: counts.lastsMs }, now());
    const level = counts && levelOf(counts.after, settings);
    if (counts === undefined || level === undefined) return;
    const suspect = { name, tool, ...counts.after, lastsMs: counts.lastsMs };
    knownSuspects.set(suspect);
    if (level !== levelOf(counts.before, settings)) news.push(suspect);
    if (isDeadEnd(suspect, settings) && !isDeadEnd(counts.before, settings)) onDeadEnd(name);
  };

  const tell = async (news: Suspect[]): Promise<void> => {
    const told = news.splice(0).map((each) => ({ ...each, isConfirmed: false }));
    if (told.length > 0) await link.ask("announce", [() => store.announce(told)], () => {});
  };

  return async (told: readonly Suspicion[]): Promise<StoreFault | undefined> => {
    const news: Suspect[] = [];
    let isOver = false;
    let isRefused = false;
    const questions = told.map((each) => () => ask(each));
    const fault = await link.ask("count", questions, (answer, at) => {
      const suspicion = told[at]!;
      if (answer instanceof Error) {
        isRefused = true;
        watch.lost(suspicion.reports);
        if (suspicion.isCleared) suspicions.clearFirst(suspicion.name, RETRY_MS);
        return;
      }
      watch.delivered(suspicion.reports);
      take(suspicion, answer, news);
      // A late answer is still valid.
      if (isOver) void tell(news);
    });
    isOver = true;
    const reports = told.reduce((sum, each) => sum + each.reports, 0);
    watch.flushed(reports, fault?.kind ?? (isRefused ? "failed" : "delivered"));
    await tell(news);
    return fault;
  };
}

/**
 * The level of a suspect. The first one needs half of the calls that make a dead end, and each further one twice the calls or witnesses; a
 * dead end is a level of its own, and so is a hundred calls, after which nobody needs to report any more. So a fingerprint is announced only a few times in a window, however many runs make the call. Undefined if
 * it is not a suspect.
 */
function levelOf(counts: Thresholds, least: Thresholds): string | undefined {
  const { calls, workers } = counts;
  if (workers < LEAST_WITNESSES || calls * 2 < least.calls) return undefined;
  const doublings = [Math.floor(Math.log2((calls * 2) / least.calls)), Math.floor(Math.log2(workers))];
  return `${doublings.join(".")}.${isDeadEnd(counts, least)}.${calls >= MAX_COUNTED}`;
}

import { type FleetKeys, shortHash } from "./fleet-keys.ts";
import { tellNews } from "./fleet-news.ts";
import { cappedCounts, isDeadEnd, type Suspect, type Thresholds } from "./known-suspects.ts";
import { type Command, errorIn, numberIn } from "./redis-commands.ts";
import type { FleetParts } from "./redis-fleet.ts";
import type { GroupAnswer, StoreFault } from "./store-link.ts";
import type { Suspicion } from "./suspicions.ts";

export type Delivery = ReturnType<typeof createDelivery>;

export const QUOTA_MS = 60_000;
/** A single process makes no suspect: its repeats are left to its own memory fleet. */
const LEAST_WITNESSES = 2;

/**
 * Sends suspicions to the store: adds calls and witnesses, and counts both before and after. If this raises a count to another level, the
 * suspect is added to the news. `onDeadEnd` is called for a suspect that has just become a dead end.
 *
 * Everything is added to sets, so a client that sends a command again changes nothing, and nothing counts twice.
 */
export function createDelivery(parts: FleetParts, onDeadEnd: (suspect: Suspect) => void) {
  const { keys, link, knownSuspects, settings, suspicions, watch } = parts;
  const { windowMs } = settings;
  const witness = shortHash(settings.witness);

  const take = ({ cleared, before, suspect }: ReturnType<typeof countsIn>, news: Suspect[]): void => {
    if (cleared !== undefined && levelOf(cleared, settings) !== undefined) {
      knownSuspects.delete(suspect.name);
      news.push({ ...suspect, calls: 0, workers: 0, lastsMs: 0 });
    }
    const level = levelOf(suspect, settings);
    if (level === undefined) return;
    knownSuspects.set(suspect);
    if (level !== levelOf(before, settings)) news.push(suspect);
    if (isDeadEnd(suspect, settings) && !isDeadEnd(before, settings)) onDeadEnd(suspect);
  };

  const tell = async (news: Suspect[]): Promise<void> => {
    const commands = news.splice(0).flatMap((each) => tellNews(keys, each, windowMs));
    if (commands.length > 0) await link.ask([commands], () => {});
  };

  return async (told: readonly Suspicion[]): Promise<StoreFault | undefined> => {
    const news: Suspect[] = [];
    let isOver = false;
    let isRefused = false;
    const settle = (suspicion: Suspicion, answer: GroupAnswer): void => {
      if (answer instanceof Error || errorIn(answer) !== undefined) {
        isRefused = true;
        watch.lost(suspicion.reports);
        if (suspicion.isCleared && answer instanceof Error) suspicions.clearFirst(suspicion.name);
        return;
      }
      watch.delivered(suspicion.reports);
      take(countsIn(suspicion, answer), news);
      // A late reply is still valid.
      if (isOver) void tell(news);
    };
    const spend: Command[] = [
      ["INCRBY", keys.quota, String(told.length)],
      ["PEXPIRE", keys.quota, String(QUOTA_MS), "LT"],
    ];
    const groups = told.map((each) => countCommands(keys, each, witness, windowMs));
    const fault = await link.ask([...groups, spend], (answer, at) => {
      if (told[at] !== undefined) settle(told[at], answer);
    });
    isOver = true;
    const reports = told.reduce((sum, each) => sum + each.reports, 0);
    watch.flushed(reports, fault?.kind ?? (isRefused ? "failed" : "delivered"));
    await tell(news);
    return fault;
  };
}

function countCommands(keys: FleetKeys, suspicion: Suspicion, witness: string, windowMs: number): Command[] {
  const { calls, witnesses } = keys.of(suspicion.name);
  const count: Command[] = [
    ["PFCOUNT", calls],
    ["PFCOUNT", witnesses],
  ];
  const clear: Command[] = suspicion.isCleared ? [...count, ["UNLINK", calls, witnesses]] : [];
  if (suspicion.calls.size === 0) return clear;
  return [
    ...clear,
    ...count,
    ["PFADD", calls, ...suspicion.calls],
    ["PEXPIRE", calls, String(windowMs), "LT"],
    ["PFADD", witnesses, witness],
    ["PEXPIRE", witnesses, String(windowMs), "LT"],
    ...count,
    ["PTTL", calls],
  ];
}

function countsIn({ name, tool, isCleared }: Suspicion, replies: readonly unknown[]) {
  const numbers = replies.map((reply) => numberIn(reply) ?? 0);
  const cleared = isCleared ? cappedCounts(numbers.splice(0, 3)) : undefined;
  // After a connection has lost bytes, replies may belong to other commands. Those between the counts must be 0 or 1.
  const isInStep = numbers.slice(2, 6).every((flag) => flag < 2);
  const after = isInStep ? numbers.splice(-3) : [];
  return {
    cleared,
    before: cappedCounts(numbers),
    suspect: { name, tool, ...cappedCounts(after), lastsMs: after[2] ?? 0 },
  };
}

/**
 * The level of a suspect. The first one needs half of the calls that make a dead end, and each further one twice the calls or witnesses.
 * So the news mentions a fingerprint only a few times in a window, however many runs make the call. Undefined if it is not a suspect.
 */
function levelOf({ calls, workers }: Thresholds, { calls: least }: Thresholds): string | undefined {
  if (workers < LEAST_WITNESSES || calls * 2 < least) return undefined;
  return `${Math.floor(Math.log2((calls * 2) / least))}.${Math.floor(Math.log2(workers))}`;
}

import { counted, isFound, type Suspect, type Thresholds } from "./dead-ends.ts";
import type { FleetKeys } from "./fleet-keys.ts";
import type { FleetParts } from "./fleet-parts.ts";
import { tellNews } from "./news.ts";
import type { Command } from "./redis-commands.ts";
import { errorIn, numberIn } from "./replies.ts";
import type { GroupAnswer, StoreFault } from "./store-link.ts";
import { shortHash } from "./store-names.ts";
import type { Suspicion } from "./suspicions.ts";

export type Delivery = ReturnType<typeof createDelivery>;

export const QUOTA_MS = 60_000;
/** Fewer processes make no suspect: what one does again and again is for itself to see. */
const LEAST_WITNESSES = 2;

/**
 * Tells the store of suspicions: calls and witnesses are added, and counted before and after. Whoever sees a count reach another level adds
 * it to the news; `onFound` hears of one that is a dead end now, and was none before.
 *
 * What is added is added to a set, so a client that sends a command again changes nothing, and nothing is ever counted twice.
 */
export function createDelivery(parts: FleetParts, onFound: (suspect: Suspect) => void) {
  const { keys, link, deadEnds, settings, suspicions, watch } = parts;
  const { windowMs } = settings;
  const witness = shortHash(settings.witness);

  const take = ({ cleared, before, suspect }: ReturnType<typeof countsIn>, news: Suspect[]): void => {
    if (cleared !== undefined && levelOf(cleared, settings) !== undefined) {
      deadEnds.delete(suspect.name);
      news.push({ ...suspect, calls: 0, workers: 0, lastsMs: 0 });
    }
    const level = levelOf(suspect, settings);
    if (level === undefined) return;
    deadEnds.set(suspect);
    if (level !== levelOf(before, settings)) news.push(suspect);
    if (isFound(suspect, settings) && !isFound(before, settings)) onFound(suspect);
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
      // A late reply is as true as any.
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
  const cleared = isCleared ? counted(numbers.splice(0, 3)) : undefined;
  // A connection that lost a few bytes goes on with replies to other commands. Those between the counts say yes or no.
  const isInStep = numbers.slice(2, 6).every((flag) => flag < 2);
  const after = isInStep ? numbers.splice(-3) : [];
  return {
    cleared,
    before: counted(numbers),
    suspect: { name, tool, ...counted(after), lastsMs: after[2] ?? 0 },
  };
}

/**
 * How far a suspect has come, from half of the calls that make a dead end on, each level with twice the calls or witnesses of the one
 * before: so a fingerprint is told of a few times in a window, however many run into it. Undefined for no suspect.
 */
function levelOf({ calls, workers }: Thresholds, { calls: least }: Thresholds): string | undefined {
  if (workers < LEAST_WITNESSES || calls * 2 < least) return undefined;
  return `${Math.floor(Math.log2((calls * 2) / least))}.${Math.floor(Math.log2(workers))}`;
}

import type { AnnouncementNews } from "./announcements.ts";
import { isCount, readNames } from "./count-call.ts";
import type { DeadEnd } from "./dead-ends.ts";
import type { RunNews } from "./run-census.ts";

export interface PulseWords {
  readonly time: string;
  /** Who asks: told apart from all others, also by its next questions. */
  readonly caller: string;
  readonly windowMs: number;
  readonly epoch: string;
  readonly version: number;
  readonly isClearing: boolean;
  readonly maxStoppedShare: number;
  readonly runs: RunNews;
  readonly announcements: AnnouncementNews;
}

/** What the store told of the whole fleet. */
export interface PulseReply {
  readonly epoch: string;
  readonly version: number;
  readonly switches: string;
  readonly runs: { readonly active: number; readonly looping: number; readonly stopped: number };
  readonly granted: readonly string[];
  /** Dead ends that nobody had told of before. */
  readonly fresh: readonly string[];
  /** Dead ends that this caller was the first to tell of, earlier. */
  readonly again: readonly string[];
  readonly changed: readonly DeadEnd[];
  /** Dead ends that are none any more. */
  readonly cleared: readonly string[];
}

const MAX_FOUND = 512;
const MAX_TEXT = 16_384;
const MAX_TOOL = 128;

/** The arguments of the pulse script, after the nonce. */
export function pulseWords(words: PulseWords): string[] {
  const { time, caller, windowMs, epoch, version, isClearing, maxStoppedShare, runs, announcements } = words;
  const { active, looping, asking } = runs;
  const { found, cleared } = announcements;
  const counts = [active.length, looping.length, asking.length, found.length, cleared.length];
  return [
    ...[time, String(windowMs), epoch, String(version), isClearing ? "1" : "", String(maxStoppedShare)],
    ...[String(MAX_FOUND), caller, ...counts.map(String)],
    ...[...active, ...looping, ...asking],
    ...found.flatMap((deadEnd) => [deadEnd.name, String(deadEnd.lastsMs), describe(deadEnd)]),
    ...cleared,
  ];
}

/** Reads the script's reply; undefined for one that makes no sense. Inside of one, what cannot be read is left out. */
export function readPulseReply(reply: readonly unknown[], windowMs: number): PulseReply | undefined {
  const [, epoch, version, switches, active, looping, stopped, granted, fresh, again, told] = reply;
  const numbers = [version, active, looping, stopped].map(Number);
  if (typeof epoch !== "string" || !numbers.every(isCount) || !Array.isArray(told)) return undefined;
  const changed: DeadEnd[] = [];
  const cleared: string[] = [];
  for (let at = 0; at + 2 < told.length; at += 3) {
    const [name, lastsMs, text] = [String(told[at]), Number(told[at + 1]), told[at + 2]];
    const deadEnd = text === "" ? undefined : readDeadEnd(name, lastsMs, text, windowMs);
    if (text === "") cleared.push(name);
    else if (deadEnd !== undefined) changed.push(deadEnd);
  }
  return {
    epoch,
    version: numbers[0]!,
    switches: typeof switches === "string" ? switches : "",
    runs: { active: numbers[1]!, looping: numbers[2]!, stopped: numbers[3]! },
    granted: Array.isArray(granted) ? granted.map(String) : [],
    fresh: Array.isArray(fresh) ? fresh.map(String) : [],
    again: Array.isArray(again) ? again.map(String) : [],
    changed,
    cleared,
  };
}

function describe({ tool, calls, barren, workers, workerNames }: DeadEnd): string {
  return JSON.stringify([calls, barren, workers, tool, workerNames]);
}

function readDeadEnd(name: string, lastsMs: number, text: unknown, windowMs: number): DeadEnd | undefined {
  if (typeof text !== "string" || text.length > MAX_TEXT || !isCount(lastsMs) || lastsMs > windowMs) return undefined;
  try {
    const [calls, barren, workers, tool, names] = JSON.parse(text) as unknown[];
    if (!isCount(calls) || !isCount(barren) || !isCount(workers)) return undefined;
    if (typeof tool !== "string" || tool.length > MAX_TOOL) return undefined;
    return { name, tool, calls, barren, workers, workerNames: readNames(names), lastsMs };
  } catch {
    return undefined;
  }
}

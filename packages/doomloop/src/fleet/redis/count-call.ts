import type { DeadEnd } from "./dead-ends.ts";
import type { PendingCalls } from "./report-queue.ts";

export interface Thresholds {
  readonly calls: number;
  readonly workers: number;
}

export interface CountWords extends Thresholds {
  /** The time that the fleet goes by; empty for the server's own. */
  readonly time: string;
  /** The same time here, to tell how old calls are. */
  readonly now: number;
  readonly windowMs: number;
  readonly maxCalls: number;
  readonly countAll: boolean;
  /** What is known of a dead end already. */
  known(name: string): DeadEnd | undefined;
}

/** Ends a field of the words that the script reads. */
const END = "\u001f";
const MAX_NAMES = 32;
const MAX_NAME = 256;

/** The arguments of the script that counts, after the nonce. */
export function countWords(batch: readonly PendingCalls[], words: CountWords): string[] {
  const { time, now, windowMs, calls, workers, maxCalls, countAll, known } = words;
  const all = [time, `${windowMs} ${calls} ${workers} ${maxCalls} ${MAX_NAMES} ${countAll ? 1 : 0}`];
  for (const pending of batch) {
    const { successAt, settled } = pending;
    const age = ageOf(pending.since, now);
    const successAge = successAt === undefined ? "" : ageOf(successAt, now);
    let word = `${age}${END}${successAge}${END}${known(pending.name)?.workers ?? 0}${END}${settled.join(" ")}${END}`;
    for (const { worker, barren, other } of pending.workers) {
      word += `${worker}${END}${barren.join(" ")}${END}${other.join(" ")}${END}`;
    }
    all.push(word);
  }
  return all;
}

/** A worker's name as it can travel. Two that differ in control characters only are one: too little, and not too much. */
export function travellingName(worker: string): string {
  return worker.replaceAll(END, " ");
}

/** The dead ends in the script's reply. It came over a network: what cannot be read is left out. */
export function readCountReply(
  reply: readonly unknown[],
  batch: readonly PendingCalls[],
  { windowMs, known }: Pick<CountWords, "windowMs" | "known">,
): DeadEnd[] {
  const found: DeadEnd[] = [];
  for (const entry of reply.slice(1)) {
    if (!Array.isArray(entry)) continue;
    const [index, calls, barren, workers, lastsMs] = entry.slice(0, 5).map(Number);
    const pending = batch[index! - 1];
    if (pending === undefined || ![calls, barren, workers, lastsMs].every(isCount) || lastsMs! > windowMs) continue;
    const { name, tool } = pending;
    const told = readNames(entry[5]).map((marked) => marked.slice(1));
    const workerNames = told.length > 0 ? told : (known(name)?.workerNames ?? []);
    found.push({ name, tool, calls: calls!, barren: barren!, workers: workers!, workerNames, lastsMs: lastsMs! });
  }
  return found;
}

export function readNames(names: unknown): string[] {
  if (!Array.isArray(names)) return [];
  return names
    .slice(0, MAX_NAMES)
    .map(String)
    .filter((name) => name.length <= MAX_NAME + 1);
}

export function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

function ageOf(since: number, now: number): string {
  return String(Math.max(0, Math.ceil(now - since)));
}

import type { DeadEnd } from "./dead-ends.ts";
import type { PendingCalls } from "./pending-calls.ts";

export interface Thresholds {
  readonly calls: number;
  readonly workers: number;
}

export interface CountSettings extends Thresholds {
  readonly windowMs: number;
  readonly maxCalls: number;
  readonly countAll: boolean;
  /** How long after a call its report can still come. */
  readonly lateMs: number;
}

/** What is known of a dead end already. */
type Known = (name: string) => DeadEnd | undefined;

/** Ends a field of what the script reads. */
const END = "\u001f";
/** Ends what it reads of one fingerprint. */
const END_ALL = "\u001e";
const MAX_NAMES = 32;
const MAX_NAME = 256;

/** What is the same for many calls of the script. */
export function countSettings({ windowMs, calls, workers, maxCalls, countAll, lateMs }: CountSettings): string {
  return `${windowMs} ${calls} ${workers} ${maxCalls} ${MAX_NAMES} ${countAll ? 1 : 0} ${lateMs}`;
}

/** What the script is told of the calls of a batch, with their age at `now`. Joined once: texts that grow are copied again. */
export function countText(batch: readonly PendingCalls[], now: number, known: Known): string {
  const fields: string[] = [];
  let before = "";
  for (const { name, since, successAt, settled, workers } of batch) {
    fields.push(before + ageOf(since, now), successAt === undefined ? "" : ageOf(successAt, now));
    fields.push(String(known(name)?.workers ?? 0), settled.join(" "));
    for (const { worker, barren, other } of workers) fields.push(worker, barren.join(" "), other.join(" "));
    before = END_ALL;
  }
  fields.push(before);
  return fields.join(END);
}

/** A worker's name as it can travel. Two that differ in control characters only are one: too little, and not too much. */
export function travellingName(worker: string): string {
  return worker.replaceAll(END, " ").replaceAll(END_ALL, " ");
}

/** The dead ends in the script's reply. It came over a network: what cannot be read is left out. */
export function readCountReply(
  reply: readonly unknown[],
  batch: readonly PendingCalls[],
  windowMs: number,
  known: Known,
): DeadEnd[] {
  const found: DeadEnd[] = [];
  for (let at = 1; at < reply.length; at++) {
    const entry = reply[at];
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

import { appendFileSync } from "node:fs";

/** `DOOMLOOP_CAMPAIGNS=full` runs campaigns in the published size; otherwise they are short enough for CI. */
const isFull = process.env.DOOMLOOP_CAMPAIGNS === "full";

export function campaignSize<Size>(size: { readonly short: Size; readonly full: Size }): Size {
  return isFull ? size.full : size.short;
}

/** A different fingerprint for each number. */
export function fingerprintOf(number: number): string {
  return String.fromCharCode(0x3400 + (number & 0x7fff), 0x3400 + (number >>> 15)).padEnd(9, "\u3400");
}

/** The value that this share of all values does not exceed. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** Appends a line of figures to the file that `DOOMLOOP_CAMPAIGN_REPORT` names, if it names one. */
export function publish(line: string): void {
  const file = process.env.DOOMLOOP_CAMPAIGN_REPORT;
  if (file) appendFileSync(file, `${line}\n`);
}

/** Integers from 0 to below the limit, the same for the same seed (mulberry32). */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
}

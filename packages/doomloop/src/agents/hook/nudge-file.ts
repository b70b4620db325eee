import { join } from "node:path";

/** A month's count ends there: more than ten thousand lines. */
export const MAX_NUDGE_BYTES = 1_000_000;
const NAME = /^nudges-(\d{4}-\d{2})\.jsonl$/;

/** Where hooks count what they said in a month. A file a month: nobody has to rewrite one that others append to. */
export function nudgeFile(state: string, now: number): string {
  return join(state, `nudges-${new Date(now).toISOString().slice(0, 7)}.jsonl`);
}

/** The month of a file of counts, such as `2026-01`; undefined for other files. */
export function monthOf(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

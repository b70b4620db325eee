import { callsInWords } from "./calls-in-words.ts";
import { count } from "./count.ts";
import { kindWords } from "./kind-words.ts";
import type { LoopSummary } from "./report.ts";

const MAX_WHAT = 300;

/** A loop in one line, the same in every output: `Bash npm test, 11 times, calls 15 to 25 (same call again)`. Foreign: escape before showing. */
export function loopInWords(loop: Pick<LoopSummary, "what" | "count" | "onset" | "end" | "kind">): string {
  const { what, onset, end, kind } = loop;
  const times = count(loop.count, "time");
  return `${what.slice(0, MAX_WHAT)}, ${times}, ${callsInWords(onset, end)} (${kindWords(kind).name.toLowerCase()})`;
}

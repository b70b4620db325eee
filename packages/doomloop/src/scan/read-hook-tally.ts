import { readLog } from "../agents/hook/intervention-log.ts";
import type { HookTally } from "./report/report.ts";
import type { TimeRange } from "./time-range.ts";

/** A line never reports the result of more nudges than this. */
const MAX_NUDGES = 100;
const COUNTED: ReadonlyMap<string, keyof HookTally> = new Map([
  ["words", "words"],
  ["question", "questions"],
  ["refusal", "refusals"],
  ["end", "ends"],
  ["allowed", "allowed"],
]);

/** Adds up what hooks said in a range of time, and what became of it. Undefined if they said nothing. */
export function readHookTally(state: string, range: Pick<TimeRange, "since" | "until">): HookTally | undefined {
  const entries = readLog(state, range.since, range.until).filter(({ said }) => said !== "opinion");
  const tally = { words: 0, questions: 0, refusals: 0, ends: 0, obeyed: 0, ignored: 0, allowed: 0 };
  for (const { said, times = 1, obeyed = 0, ignored = 0 } of entries) {
    const counted = COUNTED.get(said);
    if (counted !== undefined) tally[counted] += times;
    tally.obeyed += Math.min(obeyed, MAX_NUDGES);
    tally.ignored += Math.min(ignored, MAX_NUDGES);
  }
  return entries.length > 0 ? tally : undefined;
}

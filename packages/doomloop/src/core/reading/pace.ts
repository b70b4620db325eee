import { pushLatest } from "../collections/bounded.ts";
import type { CallHint } from "../hints/calls.ts";
import type { Call } from "../step.ts";
import type { RunMemory } from "./run-memory.ts";

/** A sleep of less lets something settle. */
const SHORTEST_WAIT_MS = 3_000;
/** A call that takes this long to come back has waited for something. */
const LONG_CALL_MS = 20_000;
/** A pause is this long, and this many times as long as the run takes for a long thought; a model whose pace is not known may think for long. */
const SHORTEST_PAUSE_MS = 5_000;
const PAUSE_TIMES_LONG = 1.5;
const LONGEST_THOUGHT_MS = 30_000;
const FEWEST_GAPS = 2;
const MOST_GAPS = 15;
const MOST_SLEPT = 24;
/** What a wait counts for where nobody says how long it took. */
const NOMINAL_MS = 10_000;

/** A call, as far as its pace goes. */
interface Paced {
  readonly call: number;
  readonly isNewCall: boolean;
  readonly at: number | undefined;
  readonly hint: CallHint;
  /** The host says so. */
  readonly isPoll: boolean;
}

/** How long a call waits, or comes after a wait; 0: it doesn't. */
export function waitBefore(run: RunMemory, { call, isNewCall, at, hint, isPoll }: Paced): number {
  const gapMs = at === undefined || run.lastAt === undefined ? 0 : Math.max(0, at - run.lastAt);
  const isPause = gapMs >= SHORTEST_PAUSE_MS && gapMs >= leastPauseMs(run.gaps);
  // New calls show how long the run takes to think.
  if (isNewCall && at !== undefined && run.lastAt !== undefined) pushLatest(run.gaps, gapMs, MOST_GAPS);
  const ownMs =
    hint.waitMs >= SHORTEST_WAIT_MS ? hint.waitMs : hint.effect === "wait" && hint.waitMs === 1 && at === undefined ? NOMINAL_MS : 0;
  const before = run.sleptAt.find((each) => each.call === call);
  const sleptMs = before === undefined ? 0 : run.sleptMs - before.sleptMs;
  return Math.max(isPause ? gapMs : 0, ownMs, sleptMs, isPoll ? (at === undefined ? NOMINAL_MS : Math.max(1, gapMs)) : 0);
}

/** How long a call took, if so long that it has waited for something. */
export function waitInside(effect: CallHint["effect"], tookMs: number): number {
  const least = effect === "wait" ? SHORTEST_WAIT_MS : LONG_CALL_MS;
  return tookMs >= least && (effect === "watch" || effect === "act" || effect === "wait") ? tookMs : 0;
}

/** Notes how long the run had slept when it made this call, and this one's own sleep. */
export function noteSleep(run: RunMemory, { call, effect }: Call, waitedMs: number): void {
  if (effect === "wait" && waitedMs >= SHORTEST_WAIT_MS) run.sleptMs += waitedMs;
  const known = run.sleptAt.findIndex((each) => each.call === call);
  if (known >= 0) run.sleptAt.splice(known, 1);
  pushLatest(run.sleptAt, { call, sleptMs: run.sleptMs }, MOST_SLEPT);
}

function leastPauseMs(gaps: readonly number[]): number {
  if (gaps.length < FEWEST_GAPS) return LONGEST_THOUGHT_MS;
  // Of four thoughts, three are shorter.
  return PAUSE_TIMES_LONG * [...gaps].sort((one, other) => one - other)[Math.floor((3 * (gaps.length - 1)) / 4)]!;
}

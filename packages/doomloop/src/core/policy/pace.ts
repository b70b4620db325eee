import { DoomloopError } from "../doomloop-error.ts";
import type { Climb, Standing } from "./climb.ts";
import type { LadderAnswer, Lasting, Rung } from "./rungs.ts";

/** When a rung is due, counted from the first words about a loop. */
export interface RungPace {
  /** Rounds in which the loop has shown again. Without a clock, a quarter more. */
  readonly rounds: number;
  /** Time, where events carry theirs. After four times the rounds it does not matter. */
  readonly ms: number;
}

/** When each rung beyond words is due. */
export interface LadderPace {
  readonly block: RungPace;
  readonly restart: RungPace;
  readonly stop: RungPace;
}

/** Without a clock nobody knows how long it took. */
const WITHOUT_CLOCK = 1.25;
/** An agent that makes ten calls a second goes in circles, too. */
const TIME_WAIVED = 4;

/** Whether a rung beyond words is due. What others confirm is refused after half of the rounds; nothing is ended for what others say. */
export function isDue(pace: LadderPace, rung: Exclude<Rung, "nudge">, climb: Climb, at: number | undefined): boolean {
  const { shown, first, raise } = climb;
  const rounds = pace[rung].rounds / (raise !== undefined && rung === "block" ? 2 : 1);
  if (shown >= rounds * TIME_WAIVED) return true;
  // A run that goes on in another process may have another clock.
  if (at === undefined || first?.at === undefined || at < first.at) return shown >= rounds * WITHOUT_CLOCK;
  return shown >= rounds && at - first.at >= pace[rung].ms;
}

/** Words that were said about something: how many, and in which round last. */
export interface Series {
  readonly count: number;
  readonly round: number;
}

/** The round of the next words in a series: at once, and then after 2, 4, 8 ... rounds more. */
export function nextWords({ count, round }: Series): number {
  return count === 0 ? 0 : round + 2 ** count;
}

/** The words last said in a series, where the rung `beyond` comes after them; undefined if words are all there is. */
export function wordsIn(told: Series, beyond: Rung | undefined, pace: LadderPace): LadderAnswer {
  const due = beyond === undefined || beyond === "nudge" ? Infinity : pace[beyond].rounds;
  const next = beyond === undefined ? undefined : "nudge";
  if (told.count === 1) return { rung: "nudge", tone: "notice", next };
  // Only the words that nothing but the rung follows are the last.
  const isLast = nextWords(told) >= due;
  return { rung: "nudge", tone: isLast ? "last" : "warning", next: isLast ? beyond : next };
}

/** How long a loop has gone on since the first words. */
export function lastingOf(first: { at: number | undefined; calls: number }, { calls, at }: Standing): Lasting {
  const ms = at === undefined || first.at === undefined ? undefined : at - first.at;
  return { calls: calls - first.calls, ms };
}

/** Throws for a pace that is none. */
export function checkPace(pace: unknown): void {
  if (pace === false) return;
  for (const rung of ["block", "restart", "stop"] as const) {
    const { rounds, ms }: Partial<RungPace> = (pace as Partial<LadderPace> | null)?.[rung] ?? {};
    if (Number.isFinite(rounds) && Number.isFinite(ms) && rounds! >= 1 && ms! >= 0) continue;
    throw new DoomloopError(
      "invalid-option",
      `ladderPace: ${rung}.rounds of at least 1 and ${rung}.ms of at least 0 are required, got ${String(rounds)} and ${String(ms)}`,
    );
  }
}

import { DoomloopError } from "../doomloop-error.ts";
import type { RunPosition } from "../run-position.ts";
import type { Climb } from "./climb.ts";
import { TIME_WAIVED, WITHOUT_CLOCK } from "./limits.ts";

/** One answer to a loop. */
export type Rung = "nudge" | "block" | "restart" | "stop";

const RUNGS: readonly Rung[] = ["nudge", "block", "restart", "stop"];

/** How strongly a message is worded. After the `last` one, the guard acts. */
export type Tone = "notice" | "warning" | "last";

/** How long something has gone on: calls, and milliseconds where there is a clock. */
export interface Lasting {
  readonly calls: number;
  readonly ms: number | undefined;
}

/** What is done about a loop, and how it is said. */
export interface LadderAnswer {
  readonly rung: Rung;
  readonly tone: Tone;
  /** The rung that follows; undefined at the top. */
  readonly next: Rung | undefined;
  /** How long the loop has gone on since the first words about it. */
  readonly lasting?: Lasting;
  /** How often the agent was told of it before, and went on. */
  readonly ignored?: number;
}

/** Answers outside any ladder: a finding of the fleet is told once, a call that must not happen twice is refused. */
export const FIRST_WORD: LadderAnswer = { rung: "nudge", tone: "notice", next: undefined };
export const LAST_WORD: LadderAnswer = { rung: "block", tone: "last", next: undefined };
export const THE_END: LadderAnswer = { rung: "stop", tone: "last", next: undefined };

/** The answer at a level, from 0; beyond the top, that of the top. */
export function answerAt(rungs: readonly Rung[], level: number): LadderAnswer {
  const at = Math.min(Math.max(0, level), rungs.length - 1);
  return { rung: rungs[at]!, tone: toneAt(rungs, at), next: rungs[at + 1] };
}

function toneAt(rungs: readonly Rung[], level: number): Tone {
  const next = rungs[level + 1];
  if (rungs[level] !== "nudge" || (next !== undefined && next !== "nudge")) return "last";
  return level === 0 ? "notice" : "warning";
}

/** Throws for an invalid ladder. */
export function checkRungs(rungs: readonly Rung[]): void {
  if (!Array.isArray(rungs) || rungs.length === 0) {
    throw new DoomloopError("invalid-option", "ladder: at least one rung is required, got none");
  }
  let highest = 0;
  for (const rung of rungs) {
    const height = RUNGS.indexOf(rung);
    if (height < 0)
      throw new DoomloopError("invalid-option", `ladder: one of ${RUNGS.join(", ")} is required, got ${String(rung)}`);
    if (height < highest) {
      throw new DoomloopError(
        "invalid-option",
        `ladder: rising rungs are required, got ${rung} after ${RUNGS[highest]}`,
      );
    }
    highest = height;
  }
}

/** Throws for counts that do not fit a ladder of this length. */
export function checkCounts(counts: readonly number[], length: number): void {
  const isRising = counts.every(
    (count, at) => Number.isInteger(count) && count >= 1 && (at === 0 || count > counts[at - 1]!),
  );
  if (isRising && counts.length === length) return;
  throw new DoomloopError(
    "invalid-option",
    `ladderCounts: ${length} rising integers are required, got ${counts.join(", ")}`,
  );
}

/** When a rung is due, counted from the first words about a loop. */
export interface RungPace {
  /** Rounds in which the loop has shown again. Without a clock, it takes a quarter more. */
  readonly rounds: number;
  /** Time since the first words, if events carry a time. After four times the rounds it does not matter. */
  readonly ms: number;
}

/** When each rung beyond words is due. */
export interface LadderPace {
  readonly block: RungPace;
  readonly restart: RungPace;
  readonly stop: RungPace;
}

/** Whether a rung beyond words is due. If others confirm the loop, a block is due after half of the rounds; no run is ended for what others say. */
export function isDue(pace: LadderPace, rung: Exclude<Rung, "nudge">, climb: Climb, at: number | undefined): boolean {
  const { shown, raise } = climb;
  const rounds = pace[rung].rounds / (raise !== undefined && rung === "block" ? 2 : 1);
  if (shown >= rounds * TIME_WAIVED) return true;
  const ms = elapsedMs(climb, at);
  return ms === undefined ? shown >= rounds * WITHOUT_CLOCK : shown >= rounds && ms >= pace[rung].ms;
}

/** The time since the first words, where events carry one. A run that goes on in another process may have another clock. */
function elapsedMs({ first }: Climb, at: number | undefined): number | undefined {
  return at === undefined || first?.at === undefined || at < first.at ? undefined : at - first.at;
}

/** Messages about one thing: how many, and in which round the last one came. */
export interface Series {
  readonly count: number;
  readonly round: number;
}

/** The round of the next words in a series: at once, and then after 2, 4, 8 ... rounds more. */
export function nextWords({ count, round }: Series): number {
  return count === 0 ? 0 : round + 2 ** count;
}

/** The round in which a rung beyond words will be due if the run goes on at its speed. */
function roundOf({ rounds, ms }: RungPace, climb: Climb, at: number | undefined): number {
  const passedMs = elapsedMs(climb, at);
  if (passedMs === undefined) return rounds * WITHOUT_CLOCK;
  const byTime = (ms * climb.shown) / Math.max(1, passedMs);
  return Math.min(rounds * TIME_WAIVED, Math.max(rounds, byTime));
}

/** The latest message about a loop. `beyond` is the rung after the messages; undefined if there is none. */
export function wordsIn(
  climb: Climb,
  beyond: Rung | undefined,
  pace: LadderPace,
  at: number | undefined,
): LadderAnswer {
  const { told } = climb;
  const due = beyond === undefined || beyond === "nudge" ? Infinity : roundOf(pace[beyond], climb, at);
  const next = beyond === undefined ? undefined : "nudge";
  if (told.count === 1) return { rung: "nudge", tone: "notice", next };
  // A message is the last one if the rung comes before the next message.
  const isLast = nextWords(told) >= due;
  return { rung: "nudge", tone: isLast ? "last" : "warning", next: isLast ? beyond : next };
}

/** How long a loop has gone on since the first words. */
export function lastingOf(first: { at: number | undefined; calls: number }, { calls, at }: RunPosition): Lasting {
  const ms = at === undefined || first.at === undefined ? undefined : at - first.at;
  return { calls: calls - first.calls, ms };
}

/** Throws for an invalid pace. */
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

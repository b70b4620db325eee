import { DoomloopError } from "../doomloop-error.ts";

/** One answer to a loop. */
export type Rung = "nudge" | "block" | "restart" | "stop";

const RUNGS: readonly Rung[] = ["nudge", "block", "restart", "stop"];

/** How strongly a message is worded: `last` is the one before something is taken out of the agent's hands. */
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

/** Answers outside any ladder: what others found is told once, what must not happen twice is refused. */
export const FIRST_WORD: LadderAnswer = { rung: "nudge", tone: "notice", next: undefined };
export const LAST_WORD: LadderAnswer = { rung: "block", tone: "last", next: undefined };
export const THE_END: LadderAnswer = { rung: "stop", tone: "last", next: undefined };

/** The answer at a level, from 0; at the top one beyond that. */
export function answerAt(rungs: readonly Rung[], level: number): LadderAnswer {
  const at = Math.min(Math.max(0, level), rungs.length - 1);
  return { rung: rungs[at]!, tone: toneAt(rungs, at), next: rungs[at + 1] };
}

function toneAt(rungs: readonly Rung[], level: number): Tone {
  const next = rungs[level + 1];
  if (rungs[level] !== "nudge" || (next !== undefined && next !== "nudge")) return "last";
  return level === 0 ? "notice" : "warning";
}

/** Throws for a list of rungs that is no ladder. */
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
        `ladder: rungs that climb are required, got ${rung} after ${RUNGS[highest]}`,
      );
    }
    highest = height;
  }
}

/** Throws for counts that do not belong to a ladder of so many rungs. */
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

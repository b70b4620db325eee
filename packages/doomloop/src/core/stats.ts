import type { Rung } from "./answer.ts";
import type { Action } from "./decision.ts";
import type { Finding, FindingKind } from "./finding.ts";
import type { OpinionVerdict } from "./question.ts";

/** What a guard has done so far. */
export interface GuardStats {
  /** Steps and answers that were looked at. */
  readonly checks: number;
  readonly findings: Readonly<Partial<Record<FindingKind, number>>>;
  readonly decisions: Readonly<Record<Action, number>>;
  /** What would have been done, in shadow mode. */
  readonly would: Readonly<Record<Rung, number>>;
  /** Over all findings; 0 if there were none. */
  readonly meanConfidence: number;
  /** Findings that a host or a user marked as false alarms. */
  readonly falsePositives: number;
  /** Whether the loop ended after a nudge. */
  readonly nudges: { readonly obeyed: number; readonly ignored: number };
  /** Questions that were asked, and what was answered. `late`: too late, or to no question. */
  readonly opinions: Readonly<Record<"asked" | OpinionVerdict | "late", number>>;
  /** Faults inside the guard. */
  readonly faults: number;
}

/** The counts behind the statistics, as they are saved. */
export type Tally = ReturnType<typeof createTally>;

export function createTally() {
  const decisions: Record<Action, number> = { continue: 0, nudge: 0, block: 0, restart: 0, stop: 0 };
  const would: Record<Rung, number> = { nudge: 0, block: 0, restart: 0, stop: 0 };
  const findings: Partial<Record<FindingKind, number>> = {};
  const opinions: Record<"asked" | OpinionVerdict | "late", number> = {
    asked: 0,
    stuck: 0,
    working: 0,
    unsure: 0,
    late: 0,
  };
  return { checks: 0, findings, decisions, would, confidence: 0, falsePositives: 0, opinions, faults: 0 };
}

/** Whether words helped: of the latest, that may be open. */
export type Nudges = ReturnType<typeof createNudges>;

export function createNudges() {
  return { isPending: false, obeyed: 0, ignored: 0 };
}

/** So long without the loop, words have helped. */
const OBEYED_AFTER = 5;

/** The loop has not been seen for so many calls or rounds. */
export function noteQuiet(nudges: Nudges, length: number): void {
  if (!nudges.isPending || length < OBEYED_AFTER) return;
  nudges.isPending = false;
  nudges.obeyed++;
}

/** The loop goes on in spite of the latest words. `isToldAgain`: new words are given, whose effect is open. */
export function noteLoop(nudges: Nudges, isToldAgain: boolean): void {
  if (nudges.isPending) nudges.ignored++;
  nudges.isPending = isToldAgain;
}

/** Counts a finding, whatever is done about it. */
export function noteFinding(tally: Tally, { kind, confidence }: Finding): void {
  tally.findings[kind] = (tally.findings[kind] ?? 0) + 1;
  tally.confidence += confidence;
}

/** The statistics of a tally, as a value of its own that no longer changes. */
export function statsOf(tally: Tally, nudges: GuardStats["nudges"]): GuardStats {
  const found = Object.values(tally.findings).reduce((sum, count) => sum + count, 0);
  return {
    checks: tally.checks,
    findings: { ...tally.findings },
    decisions: { ...tally.decisions },
    would: { ...tally.would },
    meanConfidence: found === 0 ? 0 : tally.confidence / found,
    falsePositives: tally.falsePositives,
    nudges: { obeyed: nudges.obeyed, ignored: nudges.ignored },
    opinions: { ...tally.opinions },
    faults: tally.faults,
  };
}

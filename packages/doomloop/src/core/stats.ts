import type { Action } from "./decision.ts";
import type { FindingKind } from "./detectors/index.ts";

/** What a guard has done so far. */
export interface GuardStats {
  /** Steps and answers that were looked at. */
  readonly checks: number;
  readonly findings: Readonly<Partial<Record<FindingKind, number>>>;
  readonly decisions: Readonly<Record<Action, number>>;
  /** Over all findings; 0 if there were none. */
  readonly meanConfidence: number;
  /** Findings that a host or a user declared to be no loop. */
  readonly falsePositives: number;
  /** Whether the loop ended after a nudge. */
  readonly nudges: { readonly obeyed: number; readonly ignored: number };
  /** Faults inside the guard. */
  readonly faults: number;
}

/** The counts behind the statistics, as they are saved. */
export interface Tally {
  checks: number;
  findings: Partial<Record<FindingKind, number>>;
  decisions: Record<Action, number>;
  confidence: number;
  falsePositives: number;
  faults: number;
}

/** A new tally, or a copy of a saved one; what was damaged in saving begins at nought. */
export function createTally(saved?: Tally): Tally {
  const { decisions, findings } = saved ?? {};
  return {
    checks: count(saved?.checks),
    findings: Object.fromEntries(Object.entries(findings ?? {}).map(([kind, value]) => [kind, count(value)])),
    decisions: {
      continue: count(decisions?.continue),
      nudge: count(decisions?.nudge),
      block: count(decisions?.block),
      restart: count(decisions?.restart),
      stop: count(decisions?.stop),
    },
    confidence: count(saved?.confidence),
    falsePositives: count(saved?.falsePositives),
    faults: count(saved?.faults),
  };
}

function count(value: unknown): number {
  return typeof value === "number" && value >= 0 ? value : 0;
}

/** The statistics of a tally, as a value that does not change any more. */
export function statsOf(tally: Tally, nudges: GuardStats["nudges"]): GuardStats {
  const found = Object.values(tally.findings).reduce((sum, count) => sum + count, 0);
  return {
    checks: tally.checks,
    findings: { ...tally.findings },
    decisions: { ...tally.decisions },
    meanConfidence: found === 0 ? 0 : tally.confidence / found,
    falsePositives: tally.falsePositives,
    nudges,
    faults: tally.faults,
  };
}

import type { Finding } from "../detectors/index.ts";
import type { Digest } from "../identity/digest.ts";

/** Where the run stood when a loop was last answered. */
export interface Standing {
  /** Tells one occasion to answer from the next: at most one answer is given on each. */
  readonly occasion: number;
  readonly round: number;
  readonly turn: number;
  /** Calls so far. */
  readonly calls: number;
}

/** How far one loop has climbed. Plain data. */
export interface Climb {
  level: number;
  /** Nudges in a row that were followed by nothing new. */
  inVain: number;
  standing: Standing;
  /** A nudge was given, and whether it helped is open. */
  isPending: boolean;
  /** The calls that would continue the loop. */
  members: readonly Digest[];
  finding: Finding;
  /** Calls refused since the finding. They were not made: the finding does not count them. */
  refused: number;
  /** Others have confirmed it, and it was raised for that. */
  isRaised: boolean;
}

const MAX_STEPS = 8;
/** Where nothing comes after: what a restarted run learns anew is no progress. */
const NEVER = Number.MAX_SAFE_INTEGER;

export function newClimb(finding: Finding, standing: Standing, level: number): Climb {
  const before = { ...standing, occasion: -1 };
  return { level, inVain: 0, standing: before, isPending: false, members: [], finding, refused: 0, isRaised: false };
}

/** The loop shows again: what it shows is kept, with its latest steps only. */
export function follow(climb: Climb, finding: Finding): void {
  climb.finding = { ...finding, steps: finding.steps.slice(-MAX_STEPS) };
  climb.refused = 0;
}

/** The run begins anew: nothing continues the loop before it shows again, but how far it has climbed is kept. */
export function startOver(climb: Climb): void {
  climb.members = [];
  climb.standing = { occasion: -1, round: NEVER, turn: 0, calls: NEVER };
}

/** Whether nothing but the number of attempts is in doubt: equal calls with equal results. Calls that differ may be the items of a list. */
export function isOneAttempt({ finding }: Climb): boolean {
  return (finding.kind === "repeated-call" || finding.kind === "call-cycle") && finding.evidence.outcome === "exact";
}

/** How often the loop would have gone round with the calls that were refused: a cycle only after a whole lap of them. */
export function roundsWith({ finding }: Climb, refused: number): number {
  return finding.count + Math.floor(refused / (finding.kind === "call-cycle" ? finding.period : 1));
}

import type { Finding } from "../detectors/index.ts";
import type { Digest } from "../identity/digest.ts";
import type { RunPosition } from "../run-position.ts";
import { MAX_LOOP_STEPS, OBEYED_AFTER } from "./limits.ts";
import type { LadderAnswer, Series } from "./rungs.ts";

/** How far one loop has climbed. Plain data. */
export interface Climb {
  /** Rungs given so far, where each answer climbs one. */
  level: number;
  /** Rounds in which the loop has shown since the first words about it. */
  shown: number;
  /** When the first words were said: the host's time, and the calls until then. */
  first: { readonly at: number | undefined; readonly calls: number } | undefined;
  /** How often the agent was told of it, and in which of the rounds last. */
  told: Series;
  /** Where the run stood when the loop was last answered. */
  position: RunPosition;
  /** A nudge was given, and whether it helped is open. */
  isPending: boolean;
  /** The calls that would continue the loop. */
  members: readonly Digest[];
  finding: Finding;
  /** Calls refused since the finding. They were not made: the finding does not count them. */
  refused: number;
  /** Others have confirmed it: one rung more is due for that, or was given. */
  raise: "due" | "given" | undefined;
}

export const UNTOLD: Series = { count: 0, round: 0 };
/** A place after which nothing comes: what a restarted run learns anew is no progress. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** The climb of a loop that the agent was not told of; `from` is the same loop under another name, as far as that has climbed. */
export function newClimb(finding: Finding, position: RunPosition, from: Climb | undefined): Climb {
  const { level = 0, shown = 0, first, told = UNTOLD } = from ?? {};
  return {
    level,
    shown,
    first,
    told,
    position: { ...position, occasion: -1 },
    isPending: false,
    members: [],
    finding,
    refused: 0,
    raise: undefined,
  };
}

/** The loop begins anew: the agent has made progress since it was told, or may have. */
export function beginAnew(climb: Climb): void {
  climb.level = 0;
  climb.shown = 0;
  climb.first = undefined;
  climb.told = UNTOLD;
  climb.isPending = false;
}

/** The loop shows again: what it shows is kept, with its latest steps only. */
export function follow(climb: Climb, finding: Finding): void {
  climb.finding = { ...finding, steps: finding.steps.slice(-MAX_LOOP_STEPS) };
  climb.refused = 0;
}

/** The run begins anew: nothing continues the loop before it shows again, but how far it has climbed is kept. */
export function startOver(climb: Climb): void {
  climb.members = [];
  climb.position = { occasion: -1, round: NEVER, turn: 0, calls: NEVER, at: undefined };
}

/** How often the loop would have gone round with the calls that were refused: a cycle only after a whole lap of them. */
export function roundsWith({ finding }: Climb, refused: number): number {
  return finding.count + Math.floor(refused / (finding.kind === "call-cycle" ? finding.period : 1));
}

/** How far loops have climbed, and whether nudges helped. Plain data. */
export interface LadderState {
  /** By loop, the most recent last. */
  readonly climbs: Map<string, Climb>;
  /** Words about loops that are not certain share one series since the user spoke. */
  doubts: Series & { readonly turn: number };
  obeyed: number;
  ignored: number;
}

export function createLadderState(): LadderState {
  return { climbs: new Map(), doubts: { turn: 0, count: 0, round: 0 }, obeyed: 0, ignored: 0 };
}

/** A loop that shows. */
export interface Shown {
  readonly finding: Finding;
  /** The calls that would continue it. */
  readonly members: readonly Digest[];
  /** It shows at a call that has not run yet, and so can be refused. */
  readonly isAtCall: boolean;
  /** Others confirm it. */
  readonly isConfirmed: boolean;
  /** It is read from a record in which nothing was said: it shows, and is not answered. */
  readonly isUntold: boolean;
}

/** The answer to a call that would continue a loop, and what the loop showed last. */
export interface Foreseen {
  readonly finding: Finding;
  readonly answer: LadderAnswer;
}

/** The climb that has come furthest. */
export function furthest(climbs: readonly Climb[]): Climb | undefined {
  return climbs.toSorted((one, other) => one.level - other.level || one.shown - other.shown).at(-1);
}

/** Counts nudges whose loop has not shown for some rounds as obeyed. */
export function settleNudges(state: LadderState, round: number): void {
  for (const climb of state.climbs.values()) {
    if (!climb.isPending || round - climb.position.round < OBEYED_AFTER) continue;
    climb.isPending = false;
    state.obeyed++;
  }
}

import type { Finding } from "../detectors/index.ts";
import type { Digest } from "../identity/digest.ts";
import { createRecencyTable } from "../memory/recency-table.ts";
import { answerAt, checkCounts, checkRungs, type LadderAnswer, type Rung } from "./rungs.ts";

/** Where the run stood when a loop was last answered. */
export interface Standing {
  /** Tells one occasion to answer from the next: at most one answer is given on each. */
  readonly occasion: number;
  readonly round: number;
  readonly turn: number;
  /** Calls so far. */
  readonly calls: number;
  readonly novelty: number;
}

interface ForeseenAnswer {
  /** What the loop showed last. */
  readonly finding: Finding;
  readonly answer: LadderAnswer;
}

/** How answers escalate: one ladder per loop, so that a different loop earns its own warning. */
export interface Ladder {
  /**
   * The answer to a loop that shows; undefined if this occasion was answered already. A loop that others confirm is answered
   * one rung higher, once.
   */
  answer(
    finding: Finding,
    members: readonly Digest[],
    standing: Standing,
    isConfirmed?: boolean,
  ): LadderAnswer | undefined;
  /** The answer to a call that would continue a loop which has used up its nudges, before it runs. */
  foresee(call: Digest, like: Digest | undefined, standing: Standing): ForeseenAnswer | undefined;
  /** The run begins anew: nothing continues a loop before it shows again, but how far each has climbed is kept. */
  startOver(): void;
  /** The calls that would continue a loop. */
  membersOf(loop: string): readonly Digest[];
  /** Whether no loop has been answered. */
  isEmpty(): boolean;
  /** Whether a loop has been answered before. */
  has(loop: string): boolean;
  /** Counts nudges whose loop has not shown for some rounds as obeyed. */
  settle(round: number): void;
  obeyed(): number;
  ignored(): number;
  clear(): void;
  save(): SavedLadder;
}

interface Climb {
  level: number;
  standing: Standing;
  /** A nudge was given, and whether it helped is open. */
  isPending: boolean;
  members: readonly Digest[];
  finding: Finding;
  /** Calls answered before they ran since the finding: a cycle has gone round again only after a whole lap of them. */
  foreseen?: number;
  /** Others have confirmed it, and it was raised for that. */
  isRaised?: boolean;
}

export interface SavedLadder {
  readonly climbs: readonly (readonly [string, Climb])[];
  readonly obeyed: number;
  readonly ignored: number;
}

export interface LadderOptions {
  readonly rungs: readonly Rung[];
  /** One ladder for each loop, or one for the run. */
  readonly scope: "loop" | "run";
  /** Progress takes rungs back. */
  readonly descends: boolean;
  /** The finding's count from which each rung holds, instead of one rung an answer. */
  readonly counts: readonly number[] | undefined;
  /** Whether the world has changed since so many calls had been made. */
  hasChangedSince(calls: number): boolean;
}

const MAX_LOOPS = 12;
const MAX_MEMBERS = 32;
const MAX_STEPS = 8;
/** Rounds without a loop after which a nudge has helped. */
const OBEYED_AFTER = 5;
/** New steps that take one rung back. */
const NOVELTY_PER_RUNG = 3;
const WHOLE_RUN = "run";

/** Creates a ladder, new or as it was saved. */
export function createLadder(options: LadderOptions, saved?: SavedLadder): Ladder {
  const { rungs, scope, descends, counts, hasChangedSince } = options;
  checkRungs(rungs);
  if (counts !== undefined) checkCounts(counts, rungs.length);
  const climbs = createRecencyTable<Climb>(MAX_LOOPS);
  for (const [loop, climb] of saved?.climbs ?? []) climbs.set(loop, { ...climb });
  let obeyed = saved?.obeyed ?? 0;
  let ignored = saved?.ignored ?? 0;
  const keyOf = (loop: string): string => (scope === "run" ? WHOLE_RUN : loop);

  /** The level of a loop after the progress made since it was answered: a change takes a rung back, the user all. */
  const descended = (climb: Climb, standing: Standing): number => {
    if (counts !== undefined)
      return Math.max(
        0,
        counts.findLastIndex((from) => climb.finding.count >= from),
      );
    if (!descends) return climb.level;
    const before = climb.standing;
    if (before.turn !== standing.turn) return 0;
    const learned = Math.floor((standing.novelty - before.novelty) / NOVELTY_PER_RUNG);
    return Math.max(0, climb.level - learned - (hasChangedSince(before.calls) ? 1 : 0));
  };

  /**
   * The level with one rung more for what others confirm: kept in the level, or added each time where the level is counted
   * anew. Nothing is ended or begun anew for what others say.
   */
  const raised = (level: number, climb: Climb, isConfirmed: boolean): number => {
    const next = rungs[level + 1];
    if (next === undefined || next === "restart" || next === "stop") return level;
    const isDue = counts === undefined ? isConfirmed && !climb.isRaised : isConfirmed || climb.isRaised === true;
    if (isDue) climb.isRaised = true;
    return isDue ? level + 1 : level;
  };

  const step = (key: string, climb: Climb, standing: Standing, isConfirmed = false): LadderAnswer => {
    const level = raised(Math.min(descended(climb, standing), rungs.length - 1), climb, isConfirmed);
    const answer = answerAt(rungs, level);
    if (climb.isPending && level > 0) ignored++;
    climb.isPending = answer.rung === "nudge";
    climb.level = level + 1;
    climb.standing = standing;
    climbs.set(key, climb);
    return answer;
  };

  return {
    answer(finding, members, standing, isConfirmed) {
      const key = keyOf(finding.loop);
      const climb = climbs.get(key) ?? newClimb(finding, standing);
      climb.members = [...new Set([...members, ...climb.members])].slice(0, MAX_MEMBERS);
      climb.finding = { ...finding, steps: finding.steps.slice(-MAX_STEPS) };
      climb.foreseen = 0;
      return climb.standing.occasion === standing.occasion ? undefined : step(key, climb, standing, isConfirmed);
    },
    foresee(call, like, standing) {
      for (const [key, climb] of climbs.entries()) {
        if (!climb.members.includes(call) && (like === undefined || !climb.members.includes(like))) continue;
        if (climb.standing.occasion === standing.occasion) {
          // What was refused once in a round is refused to its twins in the same round, and counts once.
          const given = answerAt(rungs, Math.max(0, climb.level - 1));
          if (given.rung === "nudge") continue;
          return { finding: climb.finding, answer: given };
        }
        const counted = { ...climb, ...countOneMore(climb) };
        const level = raised(Math.min(descended(counted, standing), rungs.length - 1), climb, false);
        if (rungs[level] === "nudge") continue;
        climb.finding = counted.finding;
        climb.foreseen = counted.foreseen;
        return { finding: climb.finding, answer: step(key, climb, standing) };
      }
      return undefined;
    },
    startOver() {
      for (const [, climb] of climbs.entries()) {
        climb.members = [];
        climb.standing = { occasion: -1, round: 0, turn: 0, calls: 0, novelty: 0 };
      }
    },
    membersOf: (loop) => climbs.get(keyOf(loop))?.members ?? [],
    isEmpty() {
      return climbs.size() === 0;
    },
    has: (loop) => climbs.get(keyOf(loop)) !== undefined,
    settle(round) {
      for (const [, climb] of climbs.entries()) {
        if (!climb.isPending || round - climb.standing.round < OBEYED_AFTER) continue;
        climb.isPending = false;
        obeyed++;
      }
    },
    obeyed() {
      return obeyed;
    },
    ignored() {
      return ignored;
    },
    clear: () => climbs.clear(),
    save: () => ({ climbs: [...climbs.entries()], obeyed, ignored }),
  };
}

function newClimb(finding: Finding, standing: Standing): Climb {
  return { level: 0, standing: { ...standing, occasion: -1 }, isPending: false, members: [], finding };
}

/** A call that would continue a loop: one more of it, or one more of the calls that make a lap. */
function countOneMore({ finding, foreseen = 0 }: Climb): { finding: Finding; foreseen: number } {
  const lap = finding.kind === "call-cycle" ? finding.period : 1;
  const calls = foreseen + 1;
  return {
    finding: calls % lap === 0 ? { ...finding, count: finding.count + 1 } : finding,
    foreseen: calls,
  };
}

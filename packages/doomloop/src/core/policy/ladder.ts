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
  /**
   * The answer to a call that would continue a loop which has used up its nudges, before it runs. A call that is proven to come to nothing
   * is refused, also where the loop as a whole is only probable.
   */
  foresee(call: Digest, like: Digest | undefined, standing: Standing, isProven: boolean): ForeseenAnswer | undefined;
  /** A loop shows again on an occasion that was answered: what it shows is kept, and nothing is said. */
  follow(finding: Finding): void;
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
  /** Nudges in a row that were followed by nothing new. */
  inVain: number;
  standing: Standing;
  /** A nudge was given, and whether it helped is open. */
  isPending: boolean;
  members: readonly Digest[];
  finding: Finding;
  /** Calls refused since the finding. They were not made: the finding does not count them. */
  refused?: number;
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
  /** Which loops may be answered with more than words. */
  readonly beyondNudge: "certain" | "any";
  /** Whether anything was learned or changed since the run stood there. */
  hasProgressedSince(standing: Standing): boolean;
}

const MAX_LOOPS = 12;
const MAX_MEMBERS = 32;
const MAX_STEPS = 8;
/** Rounds without a loop after which a nudge has helped. */
const OBEYED_AFTER = 5;
/** Told so often without anything new in between, a loop that is only probable is as good as certain. */
const ALL_IN_VAIN = 12;
/** Where nothing comes after: what a restarted run learns anew is no progress. */
const NEVER = Number.MAX_SAFE_INTEGER;
const WHOLE_RUN = "run";

/** Creates a ladder, new or as it was saved. */
export function createLadder(options: LadderOptions, saved?: SavedLadder): Ladder {
  const { rungs, scope, descends, counts, beyondNudge, hasProgressedSince } = options;
  checkRungs(rungs);
  if (counts !== undefined) checkCounts(counts, rungs.length);
  const climbs = createRecencyTable<Climb>(MAX_LOOPS);
  for (const [loop, climb] of saved?.climbs ?? []) climbs.set(loop, { ...climb });
  let obeyed = saved?.obeyed ?? 0;
  let ignored = saved?.ignored ?? 0;
  const keyOf = (loop: string): string => (scope === "run" ? WHOLE_RUN : loop);

  /** The level of a loop after what happened since it was answered: progress of any kind begins the ladder anew. */
  const descended = (climb: Climb, standing: Standing, refused = climb.refused ?? 0): number => {
    if (counts !== undefined)
      return Math.max(
        0,
        counts.findLastIndex((from) => roundsWith(climb, refused) >= from),
      );
    if (!descends) return climb.level;
    const before = climb.standing;
    return before.turn !== standing.turn || hasProgressedSince(before) ? 0 : climb.level;
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

  /** How far the loop has climbed under another name: a cycle that was first seen as a repeated call is no new loop. */
  const heightOf = (members: readonly Digest[], standing: Standing): number => {
    let height = 0;
    for (const [, climb] of climbs.entries())
      if (members.some((member) => climb.members.includes(member)))
        height = Math.max(height, descended(climb, standing));
    return height;
  };

  /** What is not certain is only talked about: the ladder is as high as its nudges. */
  const highest = ({ finding, inVain }: Climb): number => {
    if (beyondNudge === "any" || finding.isCertain) return rungs.length - 1;
    if (inVain >= ALL_IN_VAIN && isOneAttempt(finding)) return rungs.length - 1;
    return Math.max(0, rungs.lastIndexOf("nudge"));
  };

  const step = (
    key: string,
    climb: Climb,
    standing: Standing,
    isConfirmed = false,
    top = highest(climb),
  ): LadderAnswer => {
    const before = descended(climb, standing);
    climb.inVain = before === 0 ? 0 : climb.inVain + 1;
    const level = Math.min(top, raised(Math.min(before, top), climb, isConfirmed));
    // What is out of reach is not threatened with.
    const answer = answerAt(rungs.slice(0, top + 1), level);
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
      const climb = climbs.get(key) ?? newClimb(finding, standing, heightOf(members, standing));
      // Where all loops climb one ladder, the calls of one are not those of another.
      const before = climb.finding.loop === finding.loop ? climb.members : [];
      climb.members = [...new Set([...members, ...before])].slice(0, MAX_MEMBERS);
      climb.finding = kept(finding);
      climb.refused = 0;
      return climb.standing.occasion === standing.occasion ? undefined : step(key, climb, standing, isConfirmed);
    },
    foresee(call, like, standing, isProven) {
      for (const [key, climb] of climbs.entries()) {
        if (!climb.members.includes(call) && (like === undefined || !climb.members.includes(like))) continue;
        if (climb.standing.occasion === standing.occasion) {
          // What was refused once in a round is refused to its twins in the same round, and counts once.
          const given = answerAt(rungs, Math.max(0, climb.level - 1));
          if (given.rung === "nudge") continue;
          return { finding: climb.finding, answer: given };
        }
        const refused = (climb.refused ?? 0) + 1;
        const top = isProven ? rungs.length - 1 : highest(climb);
        const level = Math.min(top, raised(Math.min(descended(climb, standing, refused), top), climb, false));
        if (rungs[level] === "nudge") continue;
        climb.refused = refused;
        return { finding: climb.finding, answer: step(key, climb, standing, false, top) };
      }
      return undefined;
    },
    follow(finding) {
      const climb = climbs.get(keyOf(finding.loop));
      if (climb === undefined) return;
      climb.finding = kept(finding);
      climb.refused = 0;
    },
    startOver() {
      for (const [, climb] of climbs.entries()) {
        climb.members = [];
        climb.standing = { occasion: -1, round: NEVER, turn: 0, calls: NEVER };
      }
    },
    membersOf(loop) {
      const climb = climbs.get(keyOf(loop));
      return climb?.finding.loop === loop ? climb.members : [];
    },
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

/** Whether nothing but the number of attempts is in doubt: equal calls and results, or one call in small variations. */
function isOneAttempt(finding: Finding): boolean {
  if (finding.kind === "similar-call") return true;
  return (finding.kind === "repeated-call" || finding.kind === "call-cycle") && finding.evidence.outcome === "exact";
}

/** A finding as it is remembered: with its latest steps only. */
function kept(finding: Finding): Finding {
  return { ...finding, steps: finding.steps.slice(-MAX_STEPS) };
}

function newClimb(finding: Finding, standing: Standing, level: number): Climb {
  return { level, inVain: 0, standing: { ...standing, occasion: -1 }, isPending: false, members: [], finding };
}

/** How often the loop would have gone round with the calls that were refused: a cycle only after a whole lap of them. */
function roundsWith({ finding }: Climb, refused: number): number {
  return finding.count + Math.floor(refused / (finding.kind === "call-cycle" ? finding.period : 1));
}

import { setRecent } from "../collections/bounded.ts";
import type { Finding } from "../detectors/index.ts";
import type { Digest } from "../identity/digest.ts";
import { type Climb, follow, isOneAttempt, newClimb, roundsWith, type Standing, startOver } from "./climb.ts";
import { answerAt, checkCounts, checkRungs, type LadderAnswer, type Rung } from "./rungs.ts";

/** How far loops have climbed, and whether nudges helped. Plain data. */
export interface LadderState {
  /** By loop, the most recent last. */
  readonly climbs: Map<string, Climb>;
  obeyed: number;
  ignored: number;
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
  foresee(calls: readonly Digest[], standing: Standing, isProven: boolean): ForeseenAnswer | undefined;
  /** A loop shows again on an occasion that was answered: what it shows is kept, and nothing is said. */
  follow(finding: Finding): void;
  startOver(): void;
  /** The calls that would continue a loop. */
  membersOf(loop: string): readonly Digest[];
  /** Whether a loop has been answered before. */
  has(loop: string): boolean;
  /** Counts nudges whose loop has not shown for some rounds as obeyed. */
  settle(round: number): void;
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
}

/** Tells whether anything was learned or changed since the run stood there. */
export type ProgressTeller = (standing: Standing) => boolean;

const MAX_LOOPS = 12;
const MAX_MEMBERS = 32;
/** Rounds without a loop after which a nudge has helped. */
const OBEYED_AFTER = 5;
/** Told so often without anything new in between, a loop that is only probable is as good as certain. */
const ALL_IN_VAIN = 12;
const WHOLE_RUN = "run";

export function createLadderState(): LadderState {
  return { climbs: new Map(), obeyed: 0, ignored: 0 };
}

/** Creates a ladder that keeps what it remembers in `state`. */
export function createLadder(options: LadderOptions, hasProgressedSince: ProgressTeller, state: LadderState): Ladder {
  const { rungs, scope, descends, counts, beyondNudge } = options;
  const { climbs } = state;
  checkRungs(rungs);
  if (counts !== undefined) checkCounts(counts, rungs.length);
  const keyOf = (loop: string): string => (scope === "run" ? WHOLE_RUN : loop);

  /** The level of a loop after what happened since it was answered: progress of any kind begins the ladder anew. */
  const descended = (climb: Climb, standing: Standing, refused = climb.refused): number => {
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
    const isDue = counts === undefined ? isConfirmed && !climb.isRaised : isConfirmed || climb.isRaised;
    if (isDue) climb.isRaised = true;
    return isDue ? level + 1 : level;
  };

  /** How far the loop has climbed under another name: a cycle that was first seen as a repeated call is no new loop. */
  const heightOf = (members: readonly Digest[], standing: Standing): number => {
    const same = [...climbs.values()].filter((climb) => members.some((member) => climb.members.includes(member)));
    return Math.max(0, ...same.map((climb) => descended(climb, standing)));
  };

  /** What is not certain is only talked about: the ladder is as high as its nudges. */
  const highest = (climb: Climb): number => {
    if (beyondNudge === "any" || climb.finding.isCertain) return rungs.length - 1;
    if (climb.inVain >= ALL_IN_VAIN && isOneAttempt(climb)) return rungs.length - 1;
    return Math.max(0, rungs.lastIndexOf("nudge"));
  };

  const step = (climb: Climb, standing: Standing, isConfirmed: boolean, top: number): LadderAnswer => {
    const before = descended(climb, standing);
    climb.inVain = before === 0 ? 0 : climb.inVain + 1;
    const level = Math.min(top, raised(Math.min(before, top), climb, isConfirmed));
    // What is out of reach is not threatened with.
    const answer = answerAt(rungs.slice(0, top + 1), level);
    if (climb.isPending && level > 0) state.ignored++;
    climb.isPending = answer.rung === "nudge";
    climb.level = level + 1;
    climb.standing = standing;
    return answer;
  };

  return {
    answer(finding, members, standing, isConfirmed = false) {
      const key = keyOf(finding.loop);
      const climb = climbs.get(key) ?? newClimb(finding, standing, heightOf(members, standing));
      // Where all loops climb one ladder, the calls of one are not those of another.
      const before = climb.finding.loop === finding.loop ? climb.members : [];
      climb.members = [...new Set([...members, ...before])].slice(0, MAX_MEMBERS);
      follow(climb, finding);
      if (climb.standing.occasion === standing.occasion) return undefined;
      setRecent(climbs, key, climb, MAX_LOOPS);
      return step(climb, standing, isConfirmed, highest(climb));
    },
    foresee(calls, standing, isProven) {
      for (const [key, climb] of climbs) {
        if (!climb.members.some((member) => calls.includes(member))) continue;
        if (climb.standing.occasion === standing.occasion) {
          // What was refused once in a round is refused to its twins in the same round, and counts once.
          const given = answerAt(rungs, Math.max(0, climb.level - 1));
          if (given.rung === "nudge") continue;
          return { finding: climb.finding, answer: given };
        }
        const refused = climb.refused + 1;
        const top = isProven ? rungs.length - 1 : highest(climb);
        const level = Math.min(top, raised(Math.min(descended(climb, standing, refused), top), climb, false));
        if (rungs[level] === "nudge") continue;
        climb.refused = refused;
        setRecent(climbs, key, climb, MAX_LOOPS);
        return { finding: climb.finding, answer: step(climb, standing, false, top) };
      }
      return undefined;
    },
    follow(finding) {
      const climb = climbs.get(keyOf(finding.loop));
      if (climb !== undefined) follow(climb, finding);
    },
    startOver: () => climbs.forEach(startOver),
    membersOf(loop) {
      const climb = climbs.get(keyOf(loop));
      return climb?.finding.loop === loop ? climb.members : [];
    },
    has: (loop) => climbs.has(keyOf(loop)),
    settle(round) {
      for (const climb of climbs.values()) {
        if (!climb.isPending || round - climb.standing.round < OBEYED_AFTER) continue;
        climb.isPending = false;
        state.obeyed++;
      }
    },
  };
}

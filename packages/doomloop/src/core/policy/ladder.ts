import { setRecent } from "../collections/bounded.ts";
import type { Finding, FindingKind } from "../detectors/index.ts";
import type { Digest } from "../identity/digest.ts";
import {
  beginAnew,
  type Climb,
  type Foreseen,
  follow,
  furthest,
  type LadderState,
  newClimb,
  roundsWith,
  type Shown,
  type Standing,
  settleNudges,
  startOver,
  UNTOLD,
} from "./climb.ts";
import { isDue, type LadderPace, lastingOf, nextWords, type Series, wordsIn } from "./pace.ts";
import { answerAt, checkCounts, checkRungs, type LadderAnswer, type Rung } from "./rungs.ts";

/** How answers escalate: one ladder per loop, so that a different loop earns its own warning. */
export interface Ladder {
  /** The answer to a loop that shows; undefined if nothing is due, or this occasion was answered already. */
  answer(shown: Shown, standing: Standing): LadderAnswer | undefined;
  /**
   * The answer to a call that would continue a loop which has used up its words, before it runs. A call that is proven to come to nothing
   * is refused, also where the loop as a whole is only probable.
   */
  foresee(calls: readonly Digest[], standing: Standing, isProven: boolean): Foreseen | undefined;
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
  /** When each rung is due; `false`: each answer climbs one. */
  readonly pace: LadderPace | false;
  /** The finding's count from which each rung holds, instead of a pace. */
  readonly counts: readonly number[] | undefined;
  /** Which loops may be answered with more than words. */
  readonly beyondNudge: "certain" | "any";
  /** Rounds after the first words from which a loop that is not certain may be, too. */
  readonly endUncertainAfter: number | undefined;
}

/** Tells whether anything was learned or changed since the run stood there. */
export type ProgressTeller = (standing: Standing) => boolean;

const MAX_LOOPS = 12;
const MAX_MEMBERS = 32;
const WHOLE_RUN = "run";
const OWN_PROGRESS: readonly FindingKind[] = ["test-fix", "custom"];

/** Creates a ladder that keeps what it remembers in `state`. */
export function createLadder(options: LadderOptions, hasProgressedSince: ProgressTeller, state: LadderState): Ladder {
  const { rungs, scope, descends, counts, beyondNudge, endUncertainAfter = Infinity } = options;
  const { climbs } = state;
  checkRungs(rungs);
  if (counts !== undefined) checkCounts(counts, rungs.length);
  const lastNudge = rungs.lastIndexOf("nudge");
  // A pace is counted from the first words: where there are none, every answer climbs one rung.
  const pace = counts === undefined && lastNudge >= 0 && options.pace;
  const keyOf = (loop: string): string => (scope === "run" ? WHOLE_RUN : loop);

  /** Changes that did not help are what a loop of fixes consists of. What is progress for a detector of the host's own, that one knows. */
  const hasMoved = ({ finding, standing: before }: Climb, now: Standing): boolean =>
    counts === undefined &&
    descends &&
    (before.turn !== now.turn || (!OWN_PROGRESS.includes(finding.kind) && hasProgressedSince(before)));

  /** How far it has climbed under another name. At a pace, all that is certain is one circle until something is learned or changed. */
  const sameByAnotherName = ({ isCertain }: Finding, members: readonly Digest[], now: Standing): Climb | undefined => {
    const isCircle = ({ finding }: Climb): boolean => pace !== false && isCertain && finding.isCertain;
    const isSame = (climb: Climb): boolean =>
      isCircle(climb) || members.some((member) => climb.members.includes(member));
    return furthest([...climbs.values()].filter((climb) => isSame(climb) && !hasMoved(climb, now)));
  };

  /** What is not certain is only talked about: the ladder is as high as its nudges. */
  const topOf = ({ finding, shown }: Climb, isProven = false): number => {
    const isSure = isProven || beyondNudge === "any" || finding.isCertain || shown >= endUncertainAfter;
    return isSure ? rungs.length - 1 : Math.max(0, lastNudge);
  };

  /** The rung by the count of the finding, or by how many answers there were. */
  const rungByCount = (climb: Climb, top: number): number => {
    const byCount = counts?.findLastIndex((from) => roundsWith(climb, climb.refused) >= from);
    const level = Math.min(top, Math.max(0, byCount ?? climb.level));
    const next = rungs[level + 1];
    // One rung more for what others confirm, once. Nothing is ended or begun anew for what others say.
    const isRaised = climb.raise === "due" || (climb.raise === "given" && counts !== undefined);
    return isRaised && level < top && (next === "nudge" || next === "block") ? level + 1 : level;
  };

  const isDoubt = ({ finding }: Climb, top: number): boolean => top <= lastNudge && !finding.isCertain;
  const doubtsAt = ({ turn }: Standing): Series => (state.doubts.turn === turn ? state.doubts : UNTOLD);

  /** What is certain is refused before it is ended, however late it became certain. The calls of a host's own loop may all be new. */
  const mustRefuse = ({ finding, level }: Climb, at: number): boolean =>
    finding.isCertain &&
    finding.kind !== "custom" &&
    beyondNudge === "certain" &&
    rungs.includes("block") &&
    level < at;

  /** The rung that is due; undefined while none is. */
  const rungOf = (climb: Climb, standing: Standing, isAtCall: boolean, top: number): number | undefined => {
    if (pace === false) return rungByCount(climb, top);
    const { count } = climb.told;
    // A run starts over before it is ended, though both are due.
    const restart = rungs.indexOf("restart", climb.level);
    for (let at = restart < 0 ? top : Math.min(top, restart); count > lastNudge && at > lastNudge; at--) {
      const rung = rungs[at]!;
      if (rung === "nudge" || (rung === "block" && !isAtCall) || (rung === "stop" && mustRefuse(climb, at))) continue;
      if (isDue(pace, rung, climb, standing.at)) return at;
    }
    const doubts = doubtsAt(standing);
    const isByShown = !isDoubt(climb, top) || (count > 0 && doubts.round === standing.round);
    const isTime = isByShown ? climb.shown >= nextWords(climb.told) : standing.round >= nextWords(doubts);
    return isTime ? Math.min(count, lastNudge) : undefined;
  };

  /** Gives the answer of a rung. What is out of reach is not threatened with. */
  const give = (climb: Climb, at: number, standing: Standing, top: number): LadderAnswer => {
    const { told, shown } = climb;
    const isNudge = rungs[at] === "nudge";
    if (climb.isPending) state.ignored++;
    climb.isPending = isNudge;
    climb.level = at + 1;
    if (climb.raise === "due") climb.raise = "given";
    climb.first ??= { at: standing.at, calls: standing.calls };
    if (isNudge) climb.told = { count: told.count + 1, round: shown };
    if (isNudge && isDoubt(climb, top))
      state.doubts = { turn: standing.turn, count: doubtsAt(standing).count + 1, round: standing.round };
    const answer =
      pace === false || !isNudge
        ? answerAt(rungs.slice(0, top + 1), at)
        : wordsIn(climb.told, top > lastNudge ? rungs[lastNudge + 1] : undefined, pace);
    return told.count === 0 ? answer : { ...answer, ignored: told.count, lasting: lastingOf(climb.first, standing) };
  };

  return {
    answer({ finding, members, isAtCall, isConfirmed, isUntold }, standing) {
      const key = keyOf(finding.loop);
      const climb = climbs.get(key) ?? newClimb(finding, standing, sameByAnotherName(finding, members, standing));
      const before = climb.finding.loop === finding.loop ? climb.members : [];
      climb.members = [...new Set([...members, ...before])].slice(0, MAX_MEMBERS);
      follow(climb, finding);
      if (climb.standing.occasion === standing.occasion) return undefined;
      if (hasMoved(climb, standing)) beginAnew(climb);
      else if (climb.first !== undefined) climb.shown++;
      if (isConfirmed) climb.raise ??= "due";
      setRecent(climbs, key, climb, MAX_LOOPS);
      const top = topOf(climb);
      const at = isUntold ? undefined : rungOf(climb, standing, isAtCall, top);
      climb.standing = standing;
      return at === undefined ? undefined : give(climb, at, standing, top);
    },
    foresee(calls, standing, isProven) {
      for (const [key, climb] of climbs) {
        if (!climb.members.some((member) => calls.includes(member))) continue;
        if (climb.standing.occasion === standing.occasion) {
          // What was refused once in a round is refused to its twins in the same round, and counts once.
          const given = answerAt(rungs.slice(0, topOf(climb, isProven) + 1), climb.level - 1);
          if (given.rung === "nudge") continue;
          return { finding: climb.finding, answer: { ...given, ignored: climb.told.count } };
        }
        if (hasMoved(climb, standing)) continue;
        const again: Climb = { ...climb, shown: climb.shown + 1, refused: climb.refused + 1, standing };
        const top = topOf(again, isProven);
        const at = rungOf(again, standing, true, top);
        if (at === undefined || rungs[at] === "nudge") continue;
        setRecent(climbs, key, again, MAX_LOOPS);
        return { finding: again.finding, answer: give(again, at, standing, top) };
      }
      return undefined;
    },
    follow(finding) {
      const climb = climbs.get(keyOf(finding.loop));
      if (climb !== undefined) follow(climb, finding);
    },
    startOver() {
      climbs.forEach(startOver);
      state.doubts = { turn: 0, ...UNTOLD };
    },
    membersOf(loop) {
      const climb = climbs.get(keyOf(loop));
      return climb?.finding.loop === loop ? climb.members : [];
    },
    has: (loop) => climbs.has(keyOf(loop)),
    settle: (round) => settleNudges(state, round),
  };
}

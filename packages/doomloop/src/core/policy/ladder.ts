import { setRecent } from "../collections/bounded.ts";
import type { Finding, FindingKind } from "../detectors/index.ts";
import type { Digest } from "../identity/digest.ts";
import type { RunPosition } from "../run-position.ts";
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
  settleNudges,
  startOver,
  UNTOLD,
} from "./climb.ts";
import { MAX_LOOPS, MAX_MEMBERS } from "./limits.ts";
import {
  answerAt,
  checkCounts,
  checkRungs,
  isDue,
  type LadderAnswer,
  type LadderPace,
  lastingOf,
  nextWords,
  type Rung,
  type Series,
  wordsIn,
} from "./rungs.ts";

/** How answers escalate: one ladder per loop, so that a different loop earns its own warning. */
export interface Ladder {
  /** The answer to a loop that a detector found; undefined if nothing is due, or if this occasion was answered already. */
  answer(shown: Shown, position: RunPosition): LadderAnswer | undefined;
  /**
   * The answer to a call, before it runs, that would continue a loop whose words are used up. A call that is proven to come to nothing is
   * refused even if the loop as a whole is only probable.
   */
  foresee(calls: readonly Digest[], position: RunPosition, isProven: boolean): Foreseen | undefined;
  /** Keeps the latest finding of a loop that shows again on an occasion that was answered. Nothing is said. */
  follow(finding: Finding): void;
  startOver(): void;
  /** Events were missed: no loop is known to have gone on since it was told. */
  noteGap(): void;
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

/** Tells whether the run learned or changed anything since this position. */
export type ProgressTeller = (position: RunPosition) => boolean;

const WHOLE_RUN = "run";
const OWN_PROGRESS: readonly FindingKind[] = ["test-fix", "custom"];

/** Creates a ladder that keeps what it remembers in `state`. */
export function createLadder(options: LadderOptions, hasProgressedSince: ProgressTeller, state: LadderState): Ladder {
  const { rungs, scope, descends, counts, beyondNudge, endUncertainAfter = Infinity } = options;
  const { climbs } = state;
  checkRungs(rungs);
  if (counts !== undefined) checkCounts(counts, rungs.length);
  const lastNudge = rungs.lastIndexOf("nudge");
  // A pace is counted from the first words. Without words, every answer climbs one rung.
  const pace = counts === undefined && lastNudge >= 0 && options.pace;
  const keyOf = (loop: string): string => (scope === "run" ? WHOLE_RUN : loop);

  /** Whether the run has made progress. In a loop of fixes, changes are no progress; the host's own detectors know their own. */
  const hasMoved = ({ finding, position: before }: Climb, now: RunPosition): boolean =>
    counts === undefined &&
    descends &&
    (before.turn !== now.turn || (!OWN_PROGRESS.includes(finding.kind) && hasProgressedSince(before)));

  /** How far the loop has climbed under another name. At a pace, all certain loops are one until something is learned or changed. */
  const sameByAnotherName = (
    { isCertain }: Finding,
    members: readonly Digest[],
    now: RunPosition,
  ): Climb | undefined => {
    const isCircle = ({ finding }: Climb): boolean => pace !== false && isCertain && finding.isCertain;
    const isSame = (climb: Climb): boolean =>
      isCircle(climb) || members.some((member) => climb.members.includes(member));
    return furthest([...climbs.values()].filter((climb) => isSame(climb) && !hasMoved(climb, now)));
  };

  /** The highest rung for a loop. About a loop that is not certain, the guard only talks. */
  const topOf = ({ finding, shown }: Climb, isProven = false): number => {
    const isSure = isProven || beyondNudge === "any" || finding.isCertain || shown >= endUncertainAfter;
    return isSure ? rungs.length - 1 : Math.max(0, lastNudge);
  };

  /** The rung by the count of the finding, or by how many answers there were. */
  const rungByCount = (climb: Climb, top: number): number => {
    const byCount = counts?.findLastIndex((from) => roundsWith(climb, climb.refused) >= from);
    const level = Math.min(top, Math.max(0, byCount ?? climb.level));
    const next = rungs[level + 1];
    // If others confirm the loop, it climbs one rung more, once. No run is ended or restarted for what others say.
    const isRaised = climb.raise === "due" || (climb.raise === "given" && counts !== undefined);
    return isRaised && level < top && (next === "nudge" || next === "block") ? level + 1 : level;
  };

  const isDoubt = ({ finding }: Climb, top: number): boolean => top <= lastNudge && !finding.isCertain;
  const doubtsAt = ({ turn }: RunPosition): Series => (state.doubts.turn === turn ? state.doubts : UNTOLD);

  /** Whether a call must be refused before the run is ended, however late the loop became certain. The calls of a host's own loop may all be new. */
  const mustRefuse = ({ finding, level }: Climb, at: number): boolean =>
    finding.isCertain &&
    finding.kind !== "custom" &&
    beyondNudge === "certain" &&
    rungs.includes("block") &&
    level < at;

  /** The rung that is due; undefined while none is. */
  const rungOf = (climb: Climb, position: RunPosition, isAtCall: boolean, top: number): number | undefined => {
    if (pace === false) return rungByCount(climb, top);
    const { count } = climb.told;
    // A run starts over before it is ended, even if both are due.
    const restart = rungs.indexOf("restart", climb.level);
    for (let at = restart < 0 ? top : Math.min(top, restart); count > lastNudge && at > lastNudge; at--) {
      const rung = rungs[at]!;
      if (rung === "nudge" || (rung === "block" && !isAtCall) || (rung === "stop" && mustRefuse(climb, at))) continue;
      if (isDue(pace, rung, climb, position.at)) return at;
    }
    const doubts = doubtsAt(position);
    const isByShown = !isDoubt(climb, top) || (count > 0 && doubts.round === position.round);
    const isTime = isByShown ? climb.shown >= nextWords(climb.told) : position.round >= nextWords(doubts);
    return isTime ? Math.min(count, lastNudge) : undefined;
  };

  /** Gives the answer of a rung. It does not threaten with rungs that are out of reach. */
  const give = (climb: Climb, at: number, position: RunPosition, top: number): LadderAnswer => {
    const { told, shown } = climb;
    const isNudge = rungs[at] === "nudge";
    if (climb.isPending) state.ignored++;
    climb.isPending = isNudge;
    climb.level = at + 1;
    if (climb.raise === "due") climb.raise = "given";
    climb.first ??= { at: position.at, calls: position.calls };
    if (isNudge) climb.told = { count: told.count + 1, round: shown };
    if (isNudge && isDoubt(climb, top))
      state.doubts = { turn: position.turn, count: doubtsAt(position).count + 1, round: position.round };
    const answer =
      pace === false || !isNudge
        ? answerAt(rungs.slice(0, top + 1), at)
        : wordsIn(climb, top > lastNudge ? rungs[lastNudge + 1] : undefined, pace, position.at);
    return told.count === 0 ? answer : { ...answer, ignored: told.count, lasting: lastingOf(climb.first, position) };
  };

  return {
    answer({ finding, members, isAtCall, isConfirmed, isUntold }, position) {
      const key = keyOf(finding.loop);
      const climb = climbs.get(key) ?? newClimb(finding, position, sameByAnotherName(finding, members, position));
      const before = climb.finding.loop === finding.loop ? climb.members : [];
      climb.members = [...new Set([...members, ...before])].slice(0, MAX_MEMBERS);
      follow(climb, finding);
      if (climb.position.occasion === position.occasion) return undefined;
      if (hasMoved(climb, position)) beginAnew(climb);
      else if (climb.first !== undefined) climb.shown++;
      if (isConfirmed) climb.raise ??= "due";
      setRecent(climbs, key, climb, MAX_LOOPS);
      const top = topOf(climb);
      const at = isUntold ? undefined : rungOf(climb, position, isAtCall, top);
      climb.position = position;
      return at === undefined ? undefined : give(climb, at, position, top);
    },
    foresee(calls, position, isProven) {
      for (const [key, climb] of climbs) {
        if (!climb.members.some((member) => calls.includes(member))) continue;
        if (climb.position.occasion === position.occasion) {
          // Equal calls of one round are all refused, and count once.
          const given = answerAt(rungs.slice(0, topOf(climb, isProven) + 1), climb.level - 1);
          if (given.rung === "nudge") continue;
          return { finding: climb.finding, answer: { ...given, ignored: climb.told.count } };
        }
        if (hasMoved(climb, position)) continue;
        const again: Climb = { ...climb, shown: climb.shown + 1, refused: climb.refused + 1, position };
        const top = topOf(again, isProven);
        const at = rungOf(again, position, true, top);
        if (at === undefined || rungs[at] === "nudge") continue;
        setRecent(climbs, key, again, MAX_LOOPS);
        return { finding: again.finding, answer: give(again, at, position, top) };
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
    noteGap: () => climbs.forEach(beginAnew),
    membersOf(loop) {
      const climb = climbs.get(keyOf(loop));
      return climb?.finding.loop === loop ? climb.members : [];
    },
    has: (loop) => climbs.has(keyOf(loop)),
    settle: (round) => settleNudges(state, round),
  };
}

import { withLatest } from "./collections/bounded.ts";
import type { Kind } from "./detectors/index.ts";
import { INSISTED, UNCLEAR } from "./numbers.ts";
import type { Levels } from "./policy/levels.ts";
import type { Call, Step } from "./step.ts";

/** A call of the loop that is being answered, as it was when the loop was last seen. */
export interface LoopCall {
  readonly step: Step;
  readonly kind: Kind;
  readonly about: number;
  readonly isClear: boolean;
  /** Its calls may be the items of a list. */
  readonly isList: boolean;
  /** How often something was changed before. */
  readonly changes: number;
}

/** What the agent was told so far. */
interface Words {
  readonly count: number;
  /** The call at which it was told first. */
  readonly since: number;
  /** In how many rounds the loop was shown, and in how many the next words are due. */
  readonly shown: number;
  readonly nextAt: number;
  /** The last words before a refusal or the end were given. */
  readonly isWarned: boolean;
}

/** How far the agent was answered. `level` is on the scale of evidence. */
export type Stage =
  | { readonly at: "quiet" }
  | {
      readonly at: "told";
      readonly calls: readonly LoopCall[];
      readonly words: Words;
      readonly level: number;
      /** What the latest round of the loop added, and which one it was. */
      readonly added: number;
      readonly round: number;
      /** How often something else came of the run since, and how often it did between the latest rounds of the loop. */
      readonly others: number;
      readonly usual: number;
      /** The agent did something else: the next call is let through. */
      readonly isLapsed: boolean;
    }
  | {
      readonly at: "refusing";
      readonly calls: readonly LoopCall[];
      readonly words: Words;
      readonly level: number;
      /** How often the agent insisted in a row, how many of these calls did not run, and when the next one gets through. */
      readonly insisted: number;
      readonly refused: number;
      readonly nextPass: number;
      /** The latest round that was answered, and how: calls of one model answer get the same answer, and count once. */
      readonly round: number;
      readonly answer: "continue" | "block";
      readonly others: number;
      readonly usual: number;
      readonly isLapsed: boolean;
    }
  | {
      readonly at: "ended";
      readonly calls: readonly LoopCall[];
      readonly words: Words;
      readonly refused: number;
      /** The latest round that was answered. */
      readonly round: number;
    };

export const QUIET: Stage = { at: "quiet" };

/** What is done about an event. `warn`: the last words before a refusal or the end. */
export type Reply = "continue" | "nudge" | "warn" | "block" | "end";

/** What may be done, and when. */
export interface Ladder {
  readonly levels: Levels;
  readonly hasWords: boolean;
  readonly hasBlock: boolean;
  readonly canEnd: boolean;
}

const FIRST_PASS = 3;
const MOST_CALLS = 24;
/** Rounding must not delay an answer. */
export const TOLERANCE = 0.01;
/** A pause is another one if it is so many times as long as those before it. */
const LONGER = 1.4;

/**
 * A loop goes on: words at once, and then at growing distances; without words, the next answer of the ladder. `isConfirmed`: others say so,
 * too, and each round counts twice. `isTold`: the agent can be told now.
 */
export function escalate(
  current: Stage,
  loop: LoopCall,
  ladder: Ladder,
  { isConfirmed, isTold }: { readonly isConfirmed: boolean; readonly isTold: boolean },
): readonly [Stage, Reply] {
  const stage = current.at === "refusing" && !ladder.hasBlock ? unheard(current, ladder.levels) : current;
  if (stage.at === "ended")
    return isTold && loop.step.round !== stage.round ? [{ ...stage, round: loop.step.round }, "end"] : [stage, "continue"];
  // Nobody was told of what a record shows: the first words are due when the loop goes on.
  if (stage.at === "quiet" && !isTold) return [stage, "continue"];
  const { levels, hasWords, hasBlock, canEnd } = ladder;
  const { step, isClear } = loop;
  const calls = stage.at === "quiet" ? [loop] : withCall(stage.calls, loop, stage.at === "refusing");
  if (!hasWords && !hasBlock && canEnd) {
    const words = stage.at === "quiet" ? firstWords(step, false) : stage.words;
    return [{ at: "ended", calls, words, refused: 0, round: step.round }, "end"];
  }
  const last = Math.min(levels.refused, levels.ended) - 1;
  // What may be a list is never refused, so its level stays below.
  const most = loop.isList ? last - 1 : last;
  const added = (isConfirmed ? 2 : 1) * (isClear ? 1 : UNCLEAR);
  if (stage.at === "quiet") {
    const level = hasWords ? levels.told : Math.max(levels.told, last);
    const words = firstWords(step, hasWords);
    return [{ at: "told", calls, words, level, added, round: step.round, ...NO_OTHERS }, hasWords ? "nudge" : "continue"];
  }
  if (stage.at === "refusing" || stage.round === step.round) return [{ ...stage, calls }, "continue"];
  const level = Math.max(stage.level, Math.min(most, stage.level + added));
  const shown = stage.words.shown + 1;
  // What came in between while the calls were let through is part of the loop.
  const pace = { round: step.round, usual: stage.others, others: 0, isLapsed: false };
  const next = { ...stage, ...pace, calls, level, added, words: { ...stage.words, shown } };
  const isLast = level > last - TOLERANCE && !stage.words.isWarned && Number.isFinite(last);
  const isDue = isLast || (shown >= stage.words.nextAt && level < last - 0.5);
  // A call that looks for the way out is told once.
  if (!hasWords || !isTold || !isDue || step.isWayOut) return [next, "continue"];
  const count = stage.words.count + 1;
  const words = { ...next.words, count, nextAt: shown + 2 ** count, isWarned: isLast || stage.words.isWarned };
  return [{ ...next, words }, isLast ? "warn" : "nudge"];
}

/** A call that goes on with the loop, before it runs: refused, let through now and then, and in the end the last. */
export function answerCall(stage: Stage, call: Call, isClear: boolean, ladder: Ladder): readonly [Stage, Reply] {
  const { levels, hasBlock, canEnd } = ladder;
  if (stage.at === "ended") return canEnd ? [{ ...stage, round: call.round }, "end"] : [stage, "continue"];
  if (stage.at === "quiet" || (stage.at === "refusing" && !hasBlock)) return [stage, "continue"];
  const { calls, words } = stage;
  const first = Math.min(levels.refused, levels.ended);
  const { round } = call;
  if (stage.at === "told") {
    // The words of this round were not read yet.
    if (stage.level < first - 1 - TOLERANCE || round === stage.round) return [stage, "continue"];
    if (stage.isLapsed || hasWaited(calls, call)) return [{ ...stage, isLapsed: false, round }, "continue"];
    if (!hasBlock) return canEnd ? [{ at: "ended", calls, words, refused: 0, round }, "end"] : [stage, "continue"];
    const answer = call.isWayOut ? "continue" : "block";
    const counts = { insisted: 1, refused: answer === "block" ? 1 : 0, nextPass: FIRST_PASS };
    const pace = { round, others: 0, usual: stage.usual, isLapsed: false };
    return [{ at: "refusing", calls, words, level: first, ...counts, ...pace, answer }, answer];
  }
  if (round === stage.round) return [stage, call.isWayOut ? "continue" : stage.answer];
  if (stage.isLapsed || hasWaited(calls, call))
    return [{ ...stage, ...NOT_INSISTED, others: 0, isLapsed: false, round, answer: "continue" }, "continue"];
  // The first refusal after the agent did something else is a question again.
  const level = stage.level + (stage.insisted === 0 ? 0 : isClear ? 1 : INSISTED);
  if (canEnd && level > levels.ended - TOLERANCE)
    return [{ at: "ended", calls, words, refused: stage.refused + 1, round }, "end"];
  const insisted = stage.insisted + 1;
  const isPass = insisted === stage.nextPass;
  const answer = isPass || call.isWayOut ? "continue" : "block";
  const refused = stage.refused + (answer === "block" ? 1 : 0);
  const nextPass = isPass ? 2 * stage.nextPass : stage.nextPass;
  return [{ ...stage, level, insisted, refused, nextPass, round, others: 0, answer }, answer];
}

/** Something else came of the run than usual: a refusal lapses, and the second such step takes back a round. */
export function relax(stage: Stage, levels: Levels, step: Step): Stage {
  if (stage.at === "quiet" || stage.at === "ended" || stage.round === step.round) return stage;
  const others = stage.others + 1;
  if (others <= stage.usual) return { ...stage, others };
  if (stage.at === "refusing") return { ...stage, ...NOT_INSISTED, others, isLapsed: true };
  const next = { ...stage, others, isLapsed: true };
  if (others === stage.usual + 1) return next;
  const level = stage.level - stage.added;
  return level < levels.told - TOLERANCE ? QUIET : { ...next, level };
}

/** The agent sleeps for longer than it did before: a refusal lapses. */
export function sleep(stage: Stage, step: Step): Stage {
  if (stage.at === "quiet" || stage.at === "ended" || !hasWaited(stage.calls, step)) return stage;
  return stage.at === "refusing" ? { ...stage, ...NOT_INSISTED, isLapsed: true } : { ...stage, isLapsed: true };
}

/** The agent has read nothing of what it was told, so it has ignored nothing: words come again before anything is refused. */
export function unheard(stage: Stage, { told }: Levels): Stage {
  if (stage.at === "quiet") return stage;
  const { calls, words } = stage;
  return { at: "told", calls, words: { ...words, isWarned: false }, level: told, added: 0, round: stage.round, ...NO_OTHERS };
}

const NO_OTHERS = { others: 0, usual: 0, isLapsed: false } as const;
const NOT_INSISTED = { insisted: 0, refused: 0, nextPass: FIRST_PASS } as const;

function firstWords({ index }: Step, areGiven: boolean): Words {
  return { count: areGiven ? 1 : 0, since: index, shown: 1, nextAt: 3, isWarned: !areGiven };
}

/** Keeps a call as it was before calls were refused. Waits that an agent makes because of that are no part of the loop. */
function withCall(calls: readonly LoopCall[], loop: LoopCall, isRefusing: boolean): readonly LoopCall[] {
  const { step } = loop;
  const known = calls.find((each) => each.step.call === step.call);
  if (isRefusing && known !== undefined) return calls;
  const others = known === undefined ? calls : calls.filter((each) => each !== known);
  return withLatest(others, isRefusing ? { ...loop, step: { ...step, waitedMs: 0 } } : loop, MOST_CALLS);
}

/** Whether the agent waited longer before this call than it did while the calls were let through. */
function hasWaited(calls: readonly LoopCall[], { waitedMs }: Call): boolean {
  return waitedMs > 0 && calls.every(({ step }) => waitedMs > LONGER * step.waitedMs);
}

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
  /** How often something was changed before. */
  readonly changes: number;
}

/** What the agent was told so far. */
interface Words {
  /** How often, and at which call for the first time. */
  readonly count: number;
  readonly since: number;
  readonly round: number;
  /** When the loop has gone on for so many rounds, the next words are due. */
  readonly shown: number;
  readonly nextAt: number;
  /** The words before the first refusal were given. */
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
      /** What the latest round of the loop added, which one it was, and how often something else came of the run since. */
      readonly added: number;
      readonly round: number;
      readonly others: number;
    }
  | {
      readonly at: "refusing";
      readonly calls: readonly LoopCall[];
      readonly words: Words;
      readonly level: number;
      /** Refusals in a row, and the one at which the call gets through next. */
      readonly refusals: number;
      readonly nextPass: number;
      /** The latest round that was answered, and how: calls of one model answer get the same answer, and count once. */
      readonly round: number;
      readonly answer: "continue" | "block";
      /** The agent did something else: the next call is let through. */
      readonly isLapsed: boolean;
    }
  | { readonly at: "ended"; readonly calls: readonly LoopCall[]; readonly words: Words };

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

/** A loop with enough evidence, and what speaks for it beside that. */
export interface Shown extends Omit<LoopCall, "step"> {
  /** Others confirm it: each round counts twice. */
  readonly isConfirmed: boolean;
}

const FIRST_PASS = 3;
const MOST_CALLS = 24;
const TOLERANCE = 0.01;
const LONGER = 1.4;

/** A loop goes on: words at once, and then at growing distances; without words, the next answer of the ladder. */
export function escalate(stage: Stage, shown: Shown, step: Step, ladder: Ladder): readonly [Stage, Reply] {
  if (stage.at === "ended") return [stage, "end"];
  const { levels, hasWords, hasBlock, canEnd } = ladder;
  if (!hasWords && !hasBlock && canEnd) return [ended(stage, shown, step), "end"];
  const known = stage.at === "quiet" ? [] : stage.calls.filter((each) => each.step.call !== step.call);
  const { isConfirmed: _, ...loop } = shown;
  const calls = withLatest(known, { ...loop, step }, MOST_CALLS);
  const last = Math.min(levels.refused, levels.ended) - 1;
  const added = (shown.isConfirmed ? 2 : 1) * (shown.isClear ? 1 : UNCLEAR);
  if (stage.at === "quiet") {
    const level = hasWords ? levels.told : Math.max(levels.told, last);
    const words = {
      count: hasWords ? 1 : 0,
      since: step.index,
      round: step.round,
      shown: 1,
      nextAt: 3,
      isWarned: !hasWords,
    };
    return [{ at: "told", calls, words, level, added, round: step.round, others: 0 }, hasWords ? "nudge" : "continue"];
  }
  if (stage.at === "refusing" || stage.round === step.round) return [{ ...stage, calls }, "continue"];
  const level = Math.max(stage.level, Math.min(last, stage.level + added));
  const next = { ...stage, calls, level, added, round: step.round, others: 0 };
  const isLast = level > last - TOLERANCE && !stage.words.isWarned && Number.isFinite(last);
  const goneOn = stage.words.shown + 1;
  const isDue = isLast || (goneOn >= stage.words.nextAt && level < last - 0.5);
  if (!hasWords || !isDue) return [{ ...next, words: { ...stage.words, shown: goneOn } }, "continue"];
  const words = {
    ...stage.words,
    count: stage.words.count + 1,
    round: step.round,
    shown: goneOn,
    nextAt: goneOn + 2 ** (stage.words.count + 1),
    isWarned: isLast || stage.words.isWarned,
  };
  return [{ ...next, words }, isLast ? "warn" : "nudge"];
}

/** A call that goes on with the loop, before it runs: refused, let through now and then, and in the end the last. */
export function answerCall(stage: Stage, call: Call, isClear: boolean, ladder: Ladder): readonly [Stage, Reply] {
  if (stage.at === "ended") return [stage, "end"];
  if (stage.at === "quiet") return [stage, "continue"];
  const { levels, hasBlock, canEnd } = ladder;
  const first = Math.min(levels.refused, levels.ended);
  if (stage.at === "told") {
    // The words of this round were not read yet.
    if (stage.level < first - 1 - TOLERANCE || call.round === stage.round) return [stage, "continue"];
    if (hasWaited(stage.calls, call)) return [{ ...stage, round: call.round }, "continue"];
    if (!hasBlock)
      return canEnd ? [{ at: "ended", calls: stage.calls, words: stage.words }, "end"] : [stage, "continue"];
    const { calls, words } = stage;
    const answer = call.isWayOut ? "continue" : "block";
    return [
      {
        at: "refusing",
        calls,
        words,
        level: first,
        refusals: 1,
        nextPass: FIRST_PASS,
        round: call.round,
        answer,
        isLapsed: false,
      },
      answer,
    ];
  }
  if (call.round === stage.round) return [stage, call.isWayOut ? "continue" : stage.answer];
  if (stage.isLapsed || hasWaited(stage.calls, call))
    return [
      { ...stage, isLapsed: false, refusals: 0, nextPass: FIRST_PASS, round: call.round, answer: "continue" },
      "continue",
    ];
  const level = stage.level + (isClear ? 1 : INSISTED);
  if (canEnd && level > levels.ended - TOLERANCE)
    return [{ at: "ended", calls: stage.calls, words: stage.words }, "end"];
  const refusals = stage.refusals + 1;
  const isPass = refusals === stage.nextPass;
  const answer = isPass || call.isWayOut ? "continue" : "block";
  return [
    { ...stage, level, refusals, nextPass: isPass ? 2 * stage.nextPass : stage.nextPass, round: call.round, answer },
    answer,
  ];
}

/** Something else came of the run: a refusal lapses, and the second such step takes back a round. */
export function relax(stage: Stage, levels: Levels, step: Step): Stage {
  if (stage.at === "refusing") return { ...stage, isLapsed: true, refusals: 0, nextPass: FIRST_PASS };
  if (stage.at !== "told" || stage.round === step.round) return stage;
  const others = stage.others + 1;
  if (others === 1) return { ...stage, others };
  const level = stage.level - stage.added;
  return level < levels.told - TOLERANCE ? QUIET : { ...stage, level, others };
}

function ended(stage: Stage, shown: Shown, step: Step): Stage {
  const { isConfirmed: _, ...loop } = shown;
  const words =
    stage.at === "quiet"
      ? { count: 0, since: step.index, round: step.round, shown: 1, nextAt: 3, isWarned: true }
      : stage.words;
  return { at: "ended", calls: [{ ...loop, step }], words };
}

/** Whether the agent waited longer before this call than it did while the calls were let through. */
function hasWaited(calls: readonly LoopCall[], { waitedMs }: Call): boolean {
  return waitedMs > 0 && calls.every(({ step }) => waitedMs > LONGER * step.waitedMs);
}

import { oldestCompared, type RunState, roundsOf, topicOf } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { acknowledges } from "../outcome/answer-says.ts";
import { areAboutOne, isList, isOneSubject } from "./list.ts";
import { ATTEMPT, LONG_LIST, MUTE_LENGTH, PIECES_PER_NEW_ONE, TOLD_ATTEMPT } from "./numbers.ts";
import { reaches, type Sighting, shownSteps, type TopicKind } from "./sighting.ts";

/** Shorter answers are the same because they are short: yes, ok, 35. */
const MORE_THAN_A_WORD = 16;
/** Pieces that an answer must have to be judged by them. */
const FEW_PIECES = 3;

/** Different calls that come to one thing: a failure, a no, nothing, or nothing new. Items of a list are left alone. */
export function attempts(run: RunState, step: Step, text: string, least: number): Sighting | undefined {
  // Of a call that cannot be compared nobody knows whether it is another one.
  if (step.isExcused || !step.isComparable || isQuiet(step, text)) return undefined;
  const { row, isCrossed } = rowOf(run, step);
  const isFail = isFailing(step);
  const rounds = roundsOf(row);
  if (rounds < 2) return undefined;
  const distinct = new Set(row.map(({ key }) => key)).size;
  const isTold = isFail && !isCrossed && row.every(({ failure }) => failure?.isTold === true);
  const worth = isTold ? TOLD_ATTEMPT : ATTEMPT;
  const evidence = (rounds - 1) * worth;
  if (!reaches(evidence, least) || distinct < (isFail ? 2 : 3)) return undefined;
  if (!isOneSubject(row)) {
    const isItems = isList(row, step) && (!isFail || rounds < LONG_LIST || row.every(({ isGiven }) => isGiven));
    if (isItems || (!isFail && step.effect === "look" && step.isFileRead)) return undefined;
  }
  if (!isFail && !areAboutOne(row, step.isCommand)) return undefined;
  return { ...sightingOf(run, step, row, rounds), evidence };
}

function sightingOf(run: RunState, step: Step, row: readonly Step[], count: number): Omit<Sighting, "evidence"> {
  const isFail = isFailing(step);
  const kind: TopicKind = isFail ? "same-outcome" : step.isNothing || isOneSubject(row) ? "stalled" : "same-outcome";
  const name = `${kind} ${step.tool} ${step.failure === undefined ? step.isNo : step.failure.kind}`;
  const topic = topicOf(run, name);
  const steps = shownSteps(row);
  return { kind, name, topic, step, count, steps, isClear: false, isSure: false };
}

/** What says no more than that it was done may have been done each time. */
function isQuiet(step: Step, text: string): boolean {
  if (isFailing(step)) return false;
  const isShort = step.isNothing || step.length <= MUTE_LENGTH || acknowledges(text);
  if (step.effect === "say") return true;
  if (step.effect === "write" || step.effect === "wait") return true;
  return isShort && (step.effect === "act" || step.effect === "move");
}

/** The latest steps that came to the same, oldest first, up to what broke the row. */
function rowOf(run: RunState, step: Step): { row: readonly Step[]; isCrossed: boolean } {
  const row: Step[] = [step];
  const isFail = isFailing(step) && !step.isNothing;
  let isCrossed = false;
  for (let at = run.steps.length - 1, end = oldestCompared(run); at >= end; at--) {
    const other = run.steps[at]!;
    if (other.isExcused || other.index === step.index) continue;
    if (!isFail && other.isChange && other.effect === "write") break;
    if (isFail ? failsAlike(step, other, isCrossed) : comesToTheSame(step, other)) row.unshift(other);
    else if (other.isChange && isFail && step.isCommand) isCrossed = true;
    else if (other.isChange && !(isFail && other.effect === "act")) break;
    else if (breaks(step, other, isFail)) {
      // The first of a row of answers brought what the others only repeat.
      const isFirst = !isFail && !step.isNothing && other.tool === step.tool && !isFailing(other) && !other.isNothing;
      if (isFirst) row.unshift(other);
      break;
    }
  }
  return { row, isCrossed };
}

function breaks(step: Step, other: Step, isFail: boolean): boolean {
  if (isFail) return !isFailing(other) && !other.isNothing && (other.tool === step.tool || other.isNews);
  return other.tool === step.tool || other.isNews;
}

/** Failures of one kind; after a change, of one tool and one line. */
function failsAlike(step: Step, other: Step, isCrossed: boolean): boolean {
  if (!isFailing(other)) return false;
  if (isCrossed) return other.tool === step.tool && other.failure?.line === step.failure?.line && sameNo(step, other);
  return other.failure?.kind === step.failure?.kind && sameNo(step, other);
}

function sameNo(step: Step, other: Step): boolean {
  return step.isNo === other.isNo && (!step.isNo || step.value === other.value);
}

function comesToTheSame(step: Step, other: Step): boolean {
  if (other.tool !== step.tool || (isFailing(other) && !other.isNothing) || other.isNothing !== step.isNothing)
    return false;
  if (step.isNothing || (other.value === step.value && step.length >= MORE_THAN_A_WORD)) return true;
  const isLook = step.effect === "look" || step.effect === "watch";
  return isLook && other.pieces >= FEW_PIECES && other.fresh * PIECES_PER_NEW_ONE <= other.pieces;
}

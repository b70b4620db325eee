import { MAX_STEPS, type RunState, recentSteps, roundsOf } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { isMute } from "./again.ts";
import { areAboutOne, isCounted, isList, isOneSubject } from "./list.ts";
import {
  ATTEMPT,
  BARREN,
  FEW_PIECES,
  LAP,
  LONG_LIST,
  PIECES_PER_NEW_ONE,
  TOLD_ATTEMPT,
  VALUE_LENGTH,
} from "./numbers.ts";
import { reaches, rowSighting, type Sighting } from "./sighting.ts";

/** Shorter answers are the same because they are short: yes, ok, 35. */
const MORE_THAN_A_WORD = 16;

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
    // Other files may look alike.
    if (!isFail && step.effect === "look" && step.isFileRead) return undefined;
    // Numbers that all bring the same text are items only as long as all that is remembered is such a row.
    const isEndless =
      rounds >= MAX_STEPS &&
      step.length > VALUE_LENGTH &&
      row.every(({ shape, value }) => shape === step.shape && value === step.value);
    const hasItems = !isFail && !(step.isNothing && isCounted(row)) && !isEndless;
    if ((hasItems || rounds < LONG_LIST || row.every(({ isGiven }) => isGiven)) && isList(row, step)) return undefined;
  }
  if (!isFail && !areAboutOne(row)) return undefined;
  const kind = !isFail && (step.isNothing || isOneSubject(row)) ? "stalled" : "same-outcome";
  const name = `${kind} ${step.tool} ${step.failure?.kind ?? step.isNo}`;
  return rowSighting(run, row, { kind, name, step, count: rounds, evidence });
}

/** What these do may have been done each time, whatever the answer. */
const DOES_ITS_WORK: ReadonlySet<Step["effect"]> = new Set(["say", "write", "wait", "test"]);

/** What says no more than that it was done may have been done each time. */
function isQuiet(step: Step, text: string): boolean {
  if (isFailing(step)) return false;
  if (DOES_ITS_WORK.has(step.effect)) return true;
  return (step.effect === "act" || step.effect === "move") && isMute(step, text);
}

/** The latest steps that came to the same, oldest first, up to what broke the row. */
function rowOf(run: RunState, step: Step): { row: readonly Step[]; isCrossed: boolean } {
  const row: Step[] = [step];
  const isFail = isFailing(step) && !step.isNothing;
  let isCrossed = false;
  const steps = recentSteps(run);
  for (let at = steps.length - 1; at >= 0; at--) {
    const other = steps[at]!;
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
  // What is read may speak of failures. It is one if all that is said is the same.
  const isRead = step.effect === "look" || step.effect === "watch";
  if (isRead && step.failure?.isTold === false && other.value !== step.value) return false;
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

/** Whether another call was answered with what the run knows already, at length: it learned nothing and changed nothing. */
export function isBarren(step: Step): boolean {
  if (isFailing(step) || step.isExcused || step.isNews || step.isChange || step.isNothing) return false;
  if (DOES_ITS_WORK.has(step.effect)) return false;
  // Other files may look alike.
  if (step.effect === "look" && step.isFileRead) return false;
  return step.isNewCall && step.pieces >= FEW_PIECES;
}

/** Calls that are never the same and bring nothing, since the run last made progress. */
export function barren(run: RunState, step: Step, least: number): Sighting | undefined {
  if (!isBarren(step)) return undefined;
  run.drought += step.effect === "look" ? BARREN / 2 : BARREN;
  if (!reaches(run.drought, LAP * least)) return undefined;
  const row = recentSteps(run).filter((other) => other.tool === step.tool && isBarren(other));
  if (step.effect !== "move" && isList(row, step)) return undefined;
  const evidence = Math.max(least, run.drought / 2);
  return rowSighting(run, row, { kind: "stalled", name: `stalled ${step.tool}`, step, count: row.length, evidence });
}

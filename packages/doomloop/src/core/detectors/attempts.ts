import { hashOf, idOf } from "../hash.ts";
import { ATTEMPT, PENDING, SHORT } from "../numbers.ts";
import { areAlike, areGuesses, callsOf, indexesOf, isAbout, isList, roundsOf } from "../rows.ts";
import { isVain, type Step } from "../step.ts";
import { type Detector, NOTHING } from "./detector.ts";

const ATTEMPTS = 4;
/** An answer long enough to be the same by more than chance. */
const TELLING = 16;
const LONG_LIST = 16;

/** Different calls that come to the same: a failure, a no, or nothing. */
export const attempts: Detector<"same-outcome"> = {
  kind: "same-outcome",
  look(step, { recent }) {
    if (step.waitedMs > 0 || !mayTell(step)) return NOTHING;
    const row = rowOf(step, recent);
    const vain = isVain(step);
    if (callsOf(row) < (vain ? 2 : 3)) return NOTHING;
    const isOfList = isList(row);
    if (isOfList && isBelieved(step, row)) return NOTHING;
    if (!vain && !areAlike(row)) return NOTHING;
    const rounds = roundsOf(row);
    const isClear = row.every(({ failure }) => failure?.isOfTool === true);
    const about = idOf(ATTEMPTS, isClear ? 0 : hashOf(step.tool), step.failure?.kind ?? hashOf(step.outcome));
    return [
      {
        ...{ about, isClear, isList: isOfList && step.outcome !== "failed", count: rounds, steps: indexesOf(row) },
        evidence: isClear ? rounds : 1 + ATTEMPT * worthOfRow(row),
      },
    ];
  },
  covers: (call, last) => call.tool === last.tool && isAbout(call, last),
};

function mayTell(step: Step): boolean {
  const { effect, outcome, length } = step;
  if (isVain(step)) return true;
  // Silence is how an act says that it went well.
  if (outcome === "empty") return effect === "look" || effect === "watch" || effect === "test";
  return effect === "act" || effect === "move"
    ? length > SHORT
    : (effect === "look" || effect === "watch") && length >= TELLING;
}

/** A list is work, unless its items come to nothing and nobody has named them, or very many come to the same text. */
function isBelieved(step: Step, row: readonly Step[]): boolean {
  return isVain(step) ? !areGuesses(row) : step.outcome === "empty" || row.length < LONG_LIST;
}

/** What the steps after the first are worth, each round once: less if something is still going on. */
function worthOfRow(row: readonly Step[]): number {
  let sum = 0;
  for (const [at, step] of row.entries()) {
    if (at === 0 || row[at - 1]!.round === step.round) continue;
    sum += step.outcome === "pending" ? PENDING : 1;
  }
  return sum;
}

/** The latest steps that came to the same, oldest first. */
function rowOf(step: Step, recent: readonly Step[]): readonly Step[] {
  const row = [step];
  for (let at = recent.length - 1; at >= 0; at--) {
    const other = recent[at]!;
    if (other.progress === "change" && !isVain(step)) break;
    if (comesToTheSame(step, other)) row.push(other);
    else if (other.tool === step.tool || other.progress !== "none") break;
  }
  return row.reverse();
}

function comesToTheSame(step: Step, other: Step): boolean {
  if (!isVain(step))
    return (
      other.tool === step.tool &&
      !isVain(other) &&
      other.outcome === step.outcome &&
      (step.outcome === "empty" || other.result === step.result || other.form === step.form)
    );
  // That an answer is a no is known late.
  if (step.outcome === "no") return other.tool === step.tool && other.result === step.result;
  if (!isVain(other)) return false;
  return other.failure?.kind === step.failure?.kind;
}

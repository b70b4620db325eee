import { type RunState, recentSteps, topicOf } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { isList } from "./list.ts";
import { BARREN, LAP_AT, WORDS_AT } from "./numbers.ts";
import { reaches, type Sighting, shownSteps } from "./sighting.ts";

/** Fewer pieces are the same because they are few. */
const FEW_PIECES = 3;

/** Whether another call was answered with what the run knows already, at length: it learned nothing and changed nothing. */
export function isBarren(step: Step): boolean {
  if (isFailing(step) || step.isExcused || step.isNews || step.isChange || step.isNothing) return false;
  if (step.effect === "say" || step.effect === "write" || step.effect === "wait" || step.effect === "test")
    return false;
  // Other files may look alike.
  if (step.effect === "look" && step.isFileRead) return false;
  return step.isNewCall && step.pieces >= FEW_PIECES;
}

/** Calls that are never the same and bring nothing, since the run last made progress. */
export function barren(run: RunState, step: Step, least: number): Sighting | undefined {
  if (!isBarren(step)) return undefined;
  run.drought += step.effect === "look" ? BARREN / 2 : BARREN;
  if (!reaches(run.drought, (LAP_AT / WORDS_AT) * least)) return undefined;
  const row = recentSteps(run).filter((other) => other.tool === step.tool && isBarren(other));
  if (step.effect !== "move" && isList(row, step)) return undefined;
  const name = `stalled ${step.tool}`;
  const steps = shownSteps(row);
  const evidence = Math.max(least, run.drought / 2);
  const topic = topicOf(run, name);
  return { kind: "stalled", name, topic, step, count: row.length, steps, evidence, isClear: false, isSure: false };
}

import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { coversNewGround } from "../identity/compare-arguments.ts";
import { failuresInRow, isListOfItems, isListOfNames, streakSinceChange } from "../judge/streak.ts";
import { type RunState, recentSteps, sinceChange } from "../memory/run-state.ts";
import { wordsIn } from "../memory/views.ts";
import type { Step } from "../step.ts";
import { type Detector, loopIdentity } from "./detector.ts";
import { MIN_PAGE_LENGTH } from "./limits.ts";

/** Different attempts, one outcome. */
export interface SameOutcomeFinding extends FindingFacts {
  readonly kind: "same-outcome";
  readonly evidence: { readonly isFailing: boolean };
}

/** When different calls with the same outcome are reported. */
export interface SameOutcomeOptions {
  /**
   * Failures of the same kind in a row that make a finding, whatever the calls. One more if only the text of a result shows the failure.
   * @default 4
   */
  readonly threshold?: number;
  /**
   * Different calls of one tool in a row that make a finding if all get exactly the same answer, and it is not a short one.
   * @default 5
   */
  readonly answerThreshold?: number;
  /**
   * Different calls of one tool in a row that make a finding if all find nothing. Off by default, because looking up a
   * list of names one by one looks the same.
   * @default false
   */
  readonly nothingThreshold?: number | false;
  /**
   * Ignores calls that work through a list of items, however long it is: twenty machines may all fail, or all be fine.
   * @default true
   */
  readonly sparesLists?: boolean;
}

/**
 * Reports different attempts with one outcome: one class of failure, or one answer whatever is asked.
 *
 * A short answer (`True`, `[]`) does not count: it is the same because it is short.
 */
export function sameOutcome(options: SameOutcomeOptions = {}): Detector<SameOutcomeFinding, "step"> {
  const { threshold = 4, answerThreshold = 5, nothingThreshold = false, sparesLists = true } = options;
  requireInteger("same-outcome: threshold", threshold, 2, 20);
  requireInteger("same-outcome: answerThreshold", answerThreshold, 2, 12);
  if (nothingThreshold !== false) requireInteger("same-outcome: nothingThreshold", nothingThreshold, 2, 12);

  const inspectFailure = (run: RunState, step: Step): SameOutcomeFinding | undefined => {
    const kind = step.failure?.kind;
    if (kind === undefined) return;
    const isSameKind = ({ failure }: Step): boolean => failure?.kind === kind;
    const streak =
      streakSinceChange(run, failuresInRow(run), threshold, isSameKind) ??
      streakSinceChange(run, failuresInRow(run, step.tool), threshold, isSameKind);
    if (streak === undefined || (sparesLists && isListOfItems(streak.steps))) return;
    return found(streak.steps, Math.floor(streak.weight), loopIdentity("same-outcome", kind));
  };

  /** Finds one error that ever new commands run into, whatever was written in between. */
  const inspectStubborn = (run: RunState, step: Step): SameOutcomeFinding | undefined => {
    const line = step.failure?.line;
    if (line === undefined || step.isEmpty || !step.facts.isCommand) return;
    const same: Step[] = [];
    for (const earlier of recentSteps(run).toReversed()) {
      if (earlier.isExcused) continue;
      if (earlier.failure?.line === line && earlier.tool === step.tool) same.push(earlier);
      else if (earlier.failure !== undefined ? earlier.tool === step.tool : isNewsBetween(earlier, step)) break;
    }
    const rounds = new Set(same.map(({ round }) => round)).size;
    if (rounds < threshold + 1 || new Set(same.map(({ call }) => call)).size < 2) return;
    const { isOutside } = step.facts.reading;
    const isList = isOutside ? isListOfItems : isListOfNames;
    if ((step.failure!.isBusy && isOutside) || isList(same.toReversed())) return;
    return found(same.reverse(), rounds, loopIdentity("same-outcome", line));
  };

  const inspectAnswer = (run: RunState, step: Step): SameOutcomeFinding | undefined => {
    if (step.failure !== undefined) return;
    const same = step.isTelling
      ? inRow(run, answerThreshold, (earlier) => earlier.outcome === step.outcome)
      : nothingThreshold !== false && step.isNothing
        ? inRow(run, nothingThreshold, (earlier) => earlier.isNothing)
        : [];
    const pages = same.length > 0 ? [] : samePages(run, step, threshold);
    if (pages.length > 0) return found(pages, pages.length, loopIdentity("same-outcome", step.tool, step.outcome));
    // Twenty machines that are all well answer alike.
    if (same.length === 0 || (step.isTelling && sparesLists && isListOfNames(same))) return;
    const loop = loopIdentity("same-outcome", step.tool, step.isNothing ? "nothing" : step.outcome);
    return found(same, new Set(same.map((earlier) => earlier.round)).size, loop);
  };

  return {
    kind: "same-outcome",
    on: "step",
    inspect({ step, blindness, isExcused }, run) {
      if (blindness !== "none" || isExcused) return;
      return inspectFailure(run, step) ?? inspectStubborn(run, step) ?? inspectAnswer(run, step);
    },
  };
}

/** Calls that ask for one page after the other and get the same each time. */
function samePages(run: RunState, step: Step, threshold: number): readonly Step[] {
  if (step.length < MIN_PAGE_LENGTH || step.isNothing || step.facts.isCommand) return [];
  const same = inRow(run, threshold, (earlier) => earlier.outcome === step.outcome);
  const [first, ...others] = same.map(wordsIn);
  const arePages = first !== undefined && others.every((other) => other !== undefined && coversNewGround(first, other));
  return arePages ? same : [];
}

/** Whether a success between two failures may be progress: it told something that no call before it had told. */
function isNewsBetween(earlier: Step, step: Step): boolean {
  if (!earlier.isNewCall || earlier.isSynthetic || earlier.isEmpty) return false;
  const { act } = earlier.facts.reading;
  return act !== "writes" && act !== "waits" && act !== "says" && (earlier.tool === step.tool || earlier.isTelling);
}

/** The latest calls of one tool in a row that fit, with no change in between; empty if they are too few or all equal. */
function inRow(run: RunState, threshold: number, fits: (earlier: Step) => boolean): readonly Step[] {
  const steps = recentSteps(run);
  const latest = steps.at(-1)!;
  const from = steps.findLastIndex((earlier) => earlier.tool !== latest.tool || !fits(earlier)) + 1;
  if (steps.length - from < threshold) return [];
  const same = sinceChange(run, steps.slice(from));
  // Files that each have a name of their own may hold the same: that is what was asked.
  if (latest.facts.reading.isFileRead && new Set(same.map((earlier) => earlier.facts.like)).size > 1) return [];
  const rounds = new Set(same.map((earlier) => earlier.round)).size;
  return rounds < threshold || new Set(same.map((earlier) => earlier.call)).size < 2 ? [] : same;
}

function found(steps: readonly Step[], count: number, loop: string): SameOutcomeFinding {
  const { tool, failure } = steps.at(-1)!;
  const isFailing = failure !== undefined;
  return {
    kind: "same-outcome",
    loop,
    steps: steps.map(({ index }) => index).sort((one, other) => one - other),
    count,
    confidence: isFailing ? 0.9 : 0.85,
    isCertain: false,
    tools: [tool],
    evidence: { isFailing },
  };
}

import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import { type RunState, recentSteps } from "../memory/run-state.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { JudgedStep, PassedOver, Repeat, Step } from "../step.ts";
import type { Detector } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";
import { mayYetSee } from "./may-yet-see.ts";
import { type RepeatedCallOptions, resolveRepeatedCall } from "./repeated-call-options.ts";

/** The same call again, and nothing learned or changed in between. */
export interface RepeatedCallFinding extends FindingFacts {
  readonly kind: "repeated-call";
  readonly evidence: {
    readonly outcome: OutcomeStrength;
    /** The calls were equal in substance, not to the letter. */
    readonly isFuzzy: boolean;
    /** The calls wait or poll, and their patience is used up. */
    readonly isWaiting: boolean;
    readonly isFailing: boolean;
    /** It says or writes something, and has done so each time. */
    readonly isDone?: true;
    /** It fails because somebody else is at it, or too many are: that passes with time. */
    readonly isBusy: boolean;
    /** The latest occurrences that were not counted, and why. */
    readonly uncounted: readonly PassedOver[];
  };
}

const CONFIDENCE: Readonly<Record<OutcomeStrength, number>> = { exact: 0.98, masked: 0.95, similar: 0.95, blind: 0.85 };

/**
 * Reports a call made again although nothing was learned and nothing changed since.
 *
 * A repeat with a new outcome, or after a change of the world, does not count.
 */
export function repeatedCall(options: RepeatedCallOptions = {}): Detector<RepeatedCallFinding, "step"> {
  const { consecutive = false, window } = options;
  const { needed, fuzzyThreshold } = resolveRepeatedCall(options);

  const counted = (repeat: Repeat, index: number): number => {
    if (consecutive) return directlyBefore(repeat, index);
    return window === undefined ? repeat.count : repeat.indices.filter((at) => at > index - window).length;
  };

  return {
    kind: "repeated-call",
    on: "step",
    inspect(judged, run) {
      const { step, exact, fuzzy, isExcused, isTwin } = judged;
      if (isExcused || isTwin || mayYetSee(judged)) return;
      const count = consecutive ? inDirectRow(run, judged) : counted(exact, step.index);
      if (exact.reason === undefined && count >= needed(judged, exact.strength)) return found(judged, exact, count);
      if (fuzzy === undefined || fuzzy.reason !== undefined) return;
      if (fuzzyThreshold === false || exact.count === fuzzy.count) return;
      const fuzzyCount = counted(fuzzy, step.index);
      const fuzzyNeeded = judged.threshold ?? Math.max(fuzzyThreshold, needed(judged, fuzzy.strength));
      return fuzzyCount >= fuzzyNeeded ? found(judged, fuzzy, fuzzyCount) : undefined;
    },
  };
}

function found(judged: JudgedStep, repeat: Repeat, count: number): RepeatedCallFinding {
  const { step, fuzzy, isProof, isWaiting } = judged;
  const isFuzzy = repeat === fuzzy;
  const isCertain = !isFuzzy && isProof;
  return {
    kind: "repeated-call",
    loop: loopIdentity("repeated-call", isFuzzy ? fuzzy!.like : step.call),
    steps: [...repeat.indices].sort((one, other) => one - other),
    count,
    confidence: CONFIDENCE[repeat.strength],
    isCertain,
    tools: [step.tool],
    evidence: {
      outcome: repeat.strength,
      isFuzzy,
      isWaiting,
      isFailing: step.failure !== undefined,
      ...(repeat.strength !== "blind" && isDone(step) && { isDone: true }),
      isBusy: step.failure?.isBusy === true,
      uncounted: repeat.passed,
    },
  };
}

function isDone(step: Step): boolean {
  if (step.failure !== undefined || step.facts.isCommand) return false;
  const { act } = factsOf(step).reading;
  return act === "says" || (act === "writes" && step.hasContent);
}

/** How many of the remembered occurrences stand one call behind the other, the latest included. */
function directlyBefore({ indices }: Repeat, index: number): number {
  let count = 0;
  while (indices.at(-1 - count) === index - count) count++;
  return count;
}

/** In how many rounds this step came again, with nothing in between. */
function inDirectRow(run: RunState, { step }: JudgedStep): number {
  const steps = recentSteps(run);
  const from = steps.findLastIndex(({ call, outcome }) => call !== step.call || outcome !== step.outcome) + 1;
  return new Set(steps.slice(from).map(({ round }) => round)).size;
}

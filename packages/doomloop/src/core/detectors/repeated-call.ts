import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import { type RunState, recentSteps } from "../memory/run-state.ts";
import type { JudgedStep, PassedOver, Repeat, Step } from "../step.ts";
import { type Detector, isTooEarlyToCallBlind, loopIdentity } from "./detector.ts";
import { MAX_WINDOWED } from "./limits.ts";

/** The same call again, with nothing learned or changed in between. */
export interface RepeatedCallFinding extends FindingFacts {
  readonly kind: "repeated-call";
  readonly evidence: {
    readonly outcome: OutcomeStrength;
    /** The calls were equal in substance, not exactly. */
    readonly isFuzzy: boolean;
    /** The calls wait or poll, and their patience is used up. */
    readonly isWaiting: boolean;
    readonly isFailing: boolean;
    /** The call says or writes something, and has done so each time. */
    readonly isDone?: true;
    /** The call acts, and its result does not show its effect: a click, a key. */
    readonly isStep?: true;
    /** The call fails because of a lock or a rate limit, which passes with time. */
    readonly isBusy: boolean;
    /** The latest occurrences that were not counted, and why. */
    readonly uncounted: readonly PassedOver[];
  };
}

/** When a call that is made again with the same outcome is reported. */
export interface RepeatedCallOptions {
  /**
   * How often a call must be made with exactly the same result, without progress in between, to make a finding.
   * @default 3
   */
  readonly threshold?: number;
  /**
   * The threshold if the results are only equivalent or similar.
   * @default `threshold`
   */
  readonly looseThreshold?: number;
  /**
   * The threshold if the results are only similar and the call moves along (scrolls, presses a key): the difference may be
   * what the call was for.
   * @default 4, or `looseThreshold` if that is more
   */
  readonly movingThreshold?: number;
  /**
   * The threshold if the calls are only equivalent, such as `cat a.ts` and `head a.ts`. With `false`, only identical calls count.
   * @default 4, or `threshold` if that is more
   */
  readonly fuzzyThreshold?: number | false;
  /**
   * The threshold in a run that shows no results.
   * @default 4, or `threshold` if that is more
   */
  readonly blindThreshold?: number;
  /**
   * Count only calls that follow each other directly.
   * @default false
   */
  readonly consecutive?: boolean;
  /**
   * Count only among this many latest calls. Undefined: count all that the run remembers.
   * @default undefined
   */
  readonly window?: number;
  /**
   * A different threshold for the later part of a long run, so the guard is patient early and strict late.
   * @default undefined
   */
  readonly later?: { readonly afterCalls: number; readonly threshold: number };
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
      const { step, exact, fuzzy, isExcused, isSameRoundDuplicate } = judged;
      if (isExcused || isSameRoundDuplicate || isTooEarlyToCallBlind(judged)) return;
      const count = consecutive ? inDirectRow(run, judged) : counted(exact, step.index);
      if (exact.reason === undefined && count >= needed(judged, exact.strength)) return found(judged, exact, count);
      if (fuzzyThreshold === false || fuzzy === undefined || fuzzy.reason !== undefined) return;
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
      ...(isStep(step) && { isStep: true }),
      isBusy: step.failure?.isBusy === true,
      uncounted: repeat.passed,
    },
  };
}

function isStep({ facts: { reading, isCommand }, isTelling }: Step): boolean {
  return reading.act === "steps" && !isCommand && (reading.isPage || !isTelling);
}

function isDone(step: Step): boolean {
  if (step.failure !== undefined || step.facts.isCommand) return false;
  const { act } = step.facts.reading;
  return act === "says" || (act === "writes" && step.hasContent);
}

/** How many of the remembered occurrences follow each other directly, up to the latest. */
function directlyBefore({ indices }: Repeat, index: number): number {
  let count = 0;
  while (indices.at(-1 - count) === index - count) count++;
  return count;
}

/** In how many rounds in a row this step came, with nothing in between. */
function inDirectRow(run: RunState, { step }: JudgedStep): number {
  const steps = recentSteps(run);
  const from = steps.findLastIndex(({ call, outcome }) => call !== step.call || outcome !== step.outcome) + 1;
  return new Set(steps.slice(from).map(({ round }) => round)).size;
}

/** How many barren occurrences of a step make a finding, by how much its outcomes are alike. */
type Needed = (judged: JudgedStep, strength: OutcomeStrength) => number;

/** Checks the options, and says how many occurrences are needed. Calls that are equal only in substance need at least `fuzzyThreshold`. */
function resolveRepeatedCall(options: RepeatedCallOptions): { needed: Needed; fuzzyThreshold: number | false } {
  const { threshold = 3, consecutive = false, window, later } = options;
  const atLeast = Math.max(4, threshold);
  const { looseThreshold = threshold, fuzzyThreshold = atLeast, blindThreshold = atLeast } = options;
  const { movingThreshold = Math.max(4, looseThreshold) } = options;
  const thresholds = {
    threshold,
    looseThreshold,
    movingThreshold,
    fuzzyThreshold: fuzzyThreshold || 2,
    blindThreshold,
  };
  for (const [name, value] of Object.entries(thresholds)) requireInteger(`repeated-call: ${name}`, value, 2);
  if (later !== undefined) {
    requireInteger("repeated-call: later.afterCalls", later.afterCalls, 1);
    requireInteger("repeated-call: later.threshold", later.threshold, 2);
  }
  checkWindow([...Object.values(thresholds), later?.threshold ?? 2], consecutive, window);

  const needed = ({ step, threshold: own }: JudgedStep, strength: OutcomeStrength): number => {
    if (own !== undefined) return own;
    // Nobody sees whether a scroll moved anything: it takes many to be sure.
    if (strength === "blind")
      return step.facts.reading.isMoving ? 2 * Math.max(movingThreshold, blindThreshold) : blindThreshold;
    if (strength !== "exact")
      return strength === "similar" && step.facts.reading.isMoving ? movingThreshold : looseThreshold;
    return later !== undefined && step.index >= later.afterCalls ? later.threshold : threshold;
  };

  return { needed, fuzzyThreshold };
}

function checkWindow(thresholds: readonly number[], consecutive: boolean, window: number | undefined): void {
  if (window === undefined) return;
  requireInteger("repeated-call: window", window, 2);
  const largest = Math.max(...thresholds);
  if (largest > window) {
    throw new DoomloopError(
      "invalid-option",
      `repeated-call: a window of at least ${largest}, its threshold, is required, got ${window}`,
    );
  }
  if (!consecutive && largest > MAX_WINDOWED) {
    throw new DoomloopError(
      "invalid-option",
      `repeated-call: with a window, a threshold of at most ${MAX_WINDOWED} is required, got ${largest}`,
    );
  }
}

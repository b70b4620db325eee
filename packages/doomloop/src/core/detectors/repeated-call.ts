import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import { mayYetSee } from "../memory/may-yet-see.ts";
import type { EffectKind } from "../progress/read-call.ts";
import type { Repeat, Step } from "../step.ts";
import type { Detector } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";

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
    /** It fails because somebody else is at it, or too many are: that passes with time. */
    readonly isBusy: boolean;
  };
}

export interface RepeatedCallOptions {
  /**
   * Barren occurrences of one call, with the same outcome to the letter, that make a finding.
   * @default 3
   */
  readonly threshold?: number;
  /**
   * The same where outcomes are equal only in substance, or similar.
   * @default `threshold`
   */
  readonly looseThreshold?: number;
  /**
   * The same where outcomes are only similar and the call moves along (scrolls, presses a key): what differs may be what
   * it was for.
   * @default 4, or `looseThreshold` if that is more
   */
  readonly movingThreshold?: number;
  /**
   * The same where calls are equal only in substance. False: only calls that are equal to the letter count.
   * @default 4, or `threshold` if that is more
   */
  readonly fuzzyThreshold?: number | false;
  /**
   * The same in a run that shows no outcomes.
   * @default 4, or `threshold` if that is more
   */
  readonly blindThreshold?: number;
  /**
   * Count only calls that follow each other directly.
   * @default false
   */
  readonly consecutive?: boolean;
  /**
   * Count only occurrences among this many latest calls. Undefined: as far as the run remembers.
   * @default undefined
   */
  readonly window?: number;
  /**
   * Another threshold once a run is long: patience early, strictness late.
   * @default undefined
   */
  readonly later?: { readonly afterCalls: number; readonly threshold: number };
  /**
   * How many more are needed where a program that is not known, or another agent, says nothing: it may have done something.
   * @default 1
   */
  readonly extraForSilence?: number;
}

/** What is done where nobody sees it: silence may mean that something was done. */
const UNSEEN: readonly EffectKind[] = ["unknown", "delegate"];
/** Occurrences whose place is remembered: a window cannot count more. */
const MAX_WINDOWED = 8;

const BEYOND_DOUBT = 20;
/** A command that changes something has done so by then. */
const DONE_ALREADY = 6;
const STEADY = 4;

const CONFIDENCE: Readonly<Record<OutcomeStrength, number>> = { exact: 0.98, masked: 0.95, similar: 0.95, blind: 0.85 };

/**
 * Reports a call made again although nothing was learned and nothing changed since.
 *
 * A repeat with a new outcome, or after a change of the world, does not count.
 */
export function repeatedCall(options: RepeatedCallOptions = {}): Detector<RepeatedCallFinding> {
  const { threshold = 3, consecutive = false, window, later, extraForSilence = 1 } = options;
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
  requireInteger("repeated-call: extraForSilence", extraForSilence, 0);
  if (later !== undefined) {
    requireInteger("repeated-call: later.afterCalls", later.afterCalls, 1);
    requireInteger("repeated-call: later.threshold", later.threshold, 2);
  }
  checkWindow([...Object.values(thresholds), later?.threshold ?? 2], consecutive, window);

  const needed = (step: Step, strength: OutcomeStrength): number => {
    if (step.threshold !== undefined) return step.threshold;
    // Nobody sees whether a scroll moved anything: it takes many to be sure.
    if (strength === "blind")
      return step.facts.effect.isMoving ? 2 * Math.max(movingThreshold, blindThreshold) : blindThreshold;
    if (strength !== "exact")
      return strength === "similar" && step.facts.effect.isMoving ? movingThreshold : looseThreshold;
    const exact = later !== undefined && step.index >= later.afterCalls ? later.threshold : threshold;
    const isSilent = step.isEmpty && step.failure === undefined && UNSEEN.includes(step.facts.effect.kind);
    return isSilent ? exact + extraForSilence : exact;
  };

  const counted = (repeat: Repeat, index: number): number => {
    if (consecutive) return directlyBefore(repeat, index);
    return window === undefined ? repeat.count : repeat.indices.filter((at) => at > index - window).length;
  };

  return {
    kind: "repeated-call",
    on: "step",
    inspect(run) {
      const step = run.latest;
      if (step === undefined || step.isExcused || step.isTwin || mayYetSee(step)) return;
      const { exact, fuzzy } = step;
      const count = consecutive ? run.lags.laps(1) : counted(exact, step.index);
      if (exact.reason === undefined && count >= needed(step, exact.strength)) return found(step, exact, count, false);
      if (fuzzy === undefined || fuzzy.reason !== undefined) return;
      if (fuzzyThreshold === false || exact.count === fuzzy.count) return;
      const fuzzyCount = counted(fuzzy, step.index);
      const fuzzyNeeded = step.threshold ?? Math.max(fuzzyThreshold, needed(step, fuzzy.strength));
      return fuzzyCount >= fuzzyNeeded ? found(step, fuzzy, fuzzyCount, true) : undefined;
    },
  };
}

function found(step: Step, repeat: Repeat, count: number, isFuzzy: boolean): RepeatedCallFinding {
  return {
    kind: "repeated-call",
    loop: loopIdentity("repeated-call", isFuzzy ? step.fuzzy!.like : step.call),
    steps: [...repeat.indices].sort((one, other) => one - other),
    count,
    confidence: CONFIDENCE[repeat.strength],
    isCertain: !isFuzzy && isSteady(step) && (step.isProof || isBeyondDoubt(step, count)),
    tools: [step.tool],
    evidence: {
      outcome: repeat.strength,
      isFuzzy,
      isWaiting: step.isWaiting,
      isFailing: step.failure !== undefined,
      isBusy: step.failure?.isBusy === true,
    },
  };
}

/** Whether the call comes back with nothing else, or has not for some time. */
function isSteady({ hasOthers, exact }: Step): boolean {
  return !hasOthers || exact.inRow >= STEADY;
}

/** As often as this, an equal call with an equal answer needs no further proof. */
function isBeyondDoubt({ exact, facts }: Step, count: number): boolean {
  if (exact.strength !== "exact") return false;
  if (count >= BEYOND_DOUBT) return true;
  return facts.isCommand && exact.inRow >= DONE_ALREADY && facts.effect.kind === "change";
}

/** How many of the remembered occurrences stand one call behind the other, the latest included. */
function directlyBefore(repeat: Repeat, index: number): number {
  let count = 0;
  for (let at = repeat.indices.length - 1; at >= 0 && repeat.indices[at] === index - count; at--) count++;
  return count;
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

import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import { MAX_PERIOD } from "../memory/lag-runs.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Step } from "../step.ts";
import type { Detector } from "./detector.ts";
import { leastRotation, loopIdentity } from "./loop-identity.ts";

/** The same few calls in turn. */
export interface CallCycleFinding extends FindingFacts {
  readonly kind: "call-cycle";
  /** Steps in one lap. */
  readonly period: number;
  readonly evidence: {
    readonly outcome: OutcomeStrength;
    readonly isWaiting: boolean;
    /** Tools of one lap in order, as far as they are remembered. Foreign, as `tools` are. */
    readonly sequence: readonly string[];
  };
}

export interface CallCycleOptions {
  /** @default 2 */
  readonly minPeriod?: number;
  /** @default 32 */
  readonly maxPeriod?: number;
  /**
   * Whole laps that make a finding, with `beyond` steps of the next.
   * @default 2
   */
  readonly laps?: number;
  /**
   * Steps into the next lap: the first step of a third lap is the third time that something was done in vain.
   * @default 1
   */
  readonly beyond?: number;
  /**
   * Whole laps that make a finding in a run that shows no outcomes.
   * @default 3
   */
  readonly blindLaps?: number;
}

/** The laps that can be told apart at the longest period. */
const MAX_LAPS = 3;
const MAX_STEPS = 32;
/** Laps that are equal in every call and every result: so many need no further proof. */
const BEYOND_DOUBT = 12;

/** The weakest likeness in the lap. */
function strengthOf({ lags }: RunState, { isBlind, exact }: Step, period: number): OutcomeStrength {
  if (isBlind) return "blind";
  return exact.strength === "exact" && !lags.isExact(period) ? "similar" : exact.strength;
}

/** Every step of the lap came back to the letter, and one of them proves that nothing happened, or there were many laps. */
function isCertain({ lags }: RunState, period: number): boolean {
  return lags.isExact(period) && (lags.isCertain(period) || lags.laps(period) >= BEYOND_DOUBT);
}

/**
 * Reports calls that come round in the same order with the same outcomes, whichever of them came first.
 *
 * A lap in which something was new or changed anything is no repetition of the one before.
 */
export function callCycle(options: CallCycleOptions = {}): Detector<CallCycleFinding> {
  const { minPeriod = 2, maxPeriod = MAX_PERIOD, laps = 2, beyond = 1, blindLaps = 3 } = options;
  requireInteger("call-cycle: minPeriod", minPeriod, 2, MAX_PERIOD);
  requireInteger("call-cycle: maxPeriod", maxPeriod, minPeriod, MAX_PERIOD);
  requireInteger("call-cycle: laps", laps, 2);
  requireInteger("call-cycle: beyond", beyond, 0, minPeriod);
  requireInteger("call-cycle: blindLaps", blindLaps, 2, (MAX_LAPS * MAX_PERIOD) / 2);
  if (laps > MAX_LAPS && laps * maxPeriod + beyond > MAX_LAPS * MAX_PERIOD) {
    throw new DoomloopError(
      "invalid-option",
      `call-cycle: laps times maxPeriod of at most ${MAX_LAPS * MAX_PERIOD} is required, got ${laps * maxPeriod + beyond}`,
    );
  }

  const periodOf = (run: RunState, isBlind: boolean): number => {
    if (!isBlind || blindLaps === laps) return run.lags.period(minPeriod, maxPeriod, laps, beyond);
    return run.lags.period(
      minPeriod,
      Math.min(maxPeriod, Math.floor((MAX_LAPS * MAX_PERIOD) / blindLaps)),
      blindLaps,
      0,
    );
  };

  return {
    kind: "call-cycle",
    on: "step",
    inspect(run) {
      const step = run.latest;
      if (step === undefined || step.isExcused || step.isTwin || step.isNew) return;
      const period = periodOf(run, step.isBlind);
      if (period === 0) return;
      const calls = run.lags.keys(period).map((key) => key.slice(0, step.call.length));
      if (new Set(calls).size === 1) return;
      const indices = [...run.lags.indices(period * 2)].sort((one, other) => one - other);
      const byIndex = new Map(run.recent.map((recent) => [recent.index, recent.tool]));
      const tools = indices
        .slice(-period)
        .map((index) => byIndex.get(index))
        .filter((tool) => tool !== undefined);
      return {
        kind: "call-cycle",
        loop: loopIdentity("call-cycle", ...leastRotation(calls)),
        steps: indices.slice(-MAX_STEPS),
        count: run.lags.laps(period),
        period,
        confidence: step.isBlind ? 0.85 : 0.95,
        isCertain: !step.isBlind && isCertain(run, period),
        tools: [...new Set(tools)].slice(0, 8),
        evidence: { outcome: strengthOf(run, step, period), isWaiting: step.isWaiting, sequence: tools },
      };
    },
  };
}

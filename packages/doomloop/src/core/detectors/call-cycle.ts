import { DoomloopError, requireInteger } from "../doomloop-error.ts";
import type { FindingFacts, OutcomeStrength } from "../finding.ts";
import type { JudgedStep } from "../step.ts";
import { type Detector, loopIdentity, memoryOf } from "./detector.ts";
import {
  CURT_LAP_LENGTH,
  CURT_LAPS,
  MAX_CYCLE_STEPS,
  MAX_LAPS,
  MAX_PERIOD,
  MUTE_LAPS,
  SHORT_PERIOD,
} from "./limits.ts";
import { addToTrail, createTrail, lapsOf, lapTells, leastRotation, periodOf, type Trail } from "./trail.ts";

/** A repeating cycle of the same few calls. */
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

/** When a repeating sequence of calls is reported. */
export interface CallCycleOptions {
  /**
   * Calls in the shortest cycle to look for.
   * @default 2
   */
  readonly minPeriod?: number;
  /**
   * Calls in the longest cycle to look for, at most 24.
   * @default 24
   */
  readonly maxPeriod?: number;
  /**
   * Full laps (passes through the cycle) that make a finding, together with `beyond` steps of the next lap.
   * @default 2
   */
  readonly laps?: number;
  /**
   * Steps of the next lap that are needed as well. The first step of a third lap is the third time something was done without effect.
   * @default 1
   */
  readonly beyond?: number;
  /**
   * Full laps that make a finding in a run that shows no results.
   * @default 3
   */
  readonly blindLaps?: number;
}

/**
 * Reports calls that come round in the same order with the same outcomes, whichever of them came first.
 *
 * A lap in which something was new or changed anything is no repetition of the one before.
 */
export function callCycle(options: CallCycleOptions = {}): Detector<CallCycleFinding, "step"> {
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

  return {
    kind: "call-cycle",
    on: "step",
    inspect(judged, run) {
      const { step, exact, isExcused, isSameRoundDuplicate, isNew, blindness } = judged;
      const trail = memoryOf(run, "call-cycle", createTrail);
      // A call that was judged when it was made is there already.
      if (isExcused || isSameRoundDuplicate || trail.indices.includes(step.index)) return;
      addToTrail(trail, judged, exact.reason === "changed-world" ? step.index : run.streaksFrom);
      if (isNew) return;
      const isBlind = blindness !== "none";
      const needed = isBlind && blindLaps !== laps ? { laps: blindLaps, beyond: 0 } : { laps, beyond };
      const period = periodOf(trail, { shortest: minPeriod, longest: maxPeriod, ...needed });
      if (period === 0) return;
      const lap = trail.calls.slice(-period);
      if (new Set(lap).size === 1) return;
      const indices = trail.indices.slice(-period * 2).sort((one, other) => one - other);
      const toolOf = new Map(run.history.map(({ index, tool }) => [index, tool]));
      const tools = indices
        .slice(-period)
        .map((index) => toolOf.get(index))
        .filter((tool) => tool !== undefined);
      const isExact = !trail.isLoose.slice(-period).includes(true);
      const count = lapsOf(trail, period);
      if (!isBlind && count < lapsFor(lapTells(trail, period), period, laps)) return;
      return {
        kind: "call-cycle",
        loop: loopIdentity("call-cycle", ...leastRotation(lap)),
        steps: indices.slice(-MAX_CYCLE_STEPS),
        count,
        period,
        confidence: isBlind ? 0.85 : 0.95,
        isCertain: !isBlind && isExact && isProven(trail, period),
        tools: [...new Set(tools)].slice(0, 8),
        evidence: { outcome: strengthOf(judged, isExact), isWaiting: judged.isWaiting, sequence: tools },
      };
    },
  };
}

/** How many laps it takes: laps that tell hardly anything must come round more often. */
function lapsFor(tells: number, period: number, laps: number): number {
  if (tells === 0) return laps + MUTE_LAPS;
  return tells <= CURT_LAP_LENGTH && period <= SHORT_PERIOD ? laps + CURT_LAPS : laps;
}

/** One step of the lap proves that nothing happened. */
function isProven({ isProof }: Trail, period: number): boolean {
  return isProof.slice(-period).includes(true);
}

/** The weakest likeness in the lap. */
function strengthOf({ blindness, exact }: JudgedStep, isExact: boolean): OutcomeStrength {
  if (blindness !== "none") return "blind";
  return exact.strength === "exact" && !isExact ? "similar" : exact.strength;
}

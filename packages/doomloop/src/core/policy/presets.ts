import type { DetectorOptions } from "../detectors/index.ts";
import { DoomloopError } from "../doomloop-error.ts";
import type { ProgressOptions } from "../progress/progress-options.ts";
import type { LadderPace, Rung } from "./rungs.ts";

/** A named set of thresholds and a ladder. */
export interface Preset {
  readonly detectors: DetectorOptions;
  readonly progress: ProgressOptions;
  readonly ladder: readonly Rung[];
  readonly pace: LadderPace;
  /** The guard sees and reports, and never acts. */
  readonly isShadow: boolean;
}

const BALANCED: Preset = {
  detectors: {},
  progress: {},
  ladder: ["nudge", "nudge", "block", "stop"],
  pace: paceOf(7, 15, 17, 60),
  isShadow: false,
};

const PRESETS = {
  /** Nudges first, stops last. The detectors' own defaults. */
  balanced: BALANCED,
  /** Warns later: for hosts where a false alarm is expensive. */
  conservative: {
    detectors: {
      "repeated-call": { threshold: 4, looseThreshold: 6, fuzzyThreshold: 6, blindThreshold: 6 },
      "call-cycle": { laps: 3, beyond: 0, blindLaps: 5 },
      "similar-call": { threshold: 6, failingThreshold: 7, blindThreshold: 7 },
      "same-outcome": { threshold: 6, answerThreshold: 7 },
      "failure-streak": { threshold: 12 },
      "test-fix": { threshold: 7 },
      stalled: { threshold: 7 },
      "repeated-text": { repetitions: 8, minimumLength: 600 },
      "text-only": { threshold: 12, repeatThreshold: 4 },
    },
    progress: {},
    ladder: ["nudge", "nudge", "nudge", "block", "stop"],
    pace: paceOf(12, 30, 27, 120),
    isShadow: false,
  },
  /** Warns early and stops early: for unattended runs where tokens are expensive. */
  aggressive: {
    detectors: {
      "repeated-call": { looseThreshold: 3, fuzzyThreshold: 3, blindThreshold: 3 },
      "call-cycle": { laps: 2, beyond: 0, blindLaps: 3 },
      "similar-call": { threshold: 3, failingThreshold: 4, blindThreshold: 4 },
      "same-outcome": { threshold: 3, answerThreshold: 4 },
      "failure-streak": { threshold: 6 },
      "test-fix": { threshold: 4 },
      stalled: { threshold: 4 },
      "repeated-text": { repetitions: 4, minimumLength: 200 },
      "text-only": { threshold: 5, repeatThreshold: 2 },
    },
    progress: {},
    ladder: ["nudge", "block", "stop"],
    pace: paceOf(4, 8, 9, 30),
    isShadow: false,
  },
  /** Detects what `balanced` detects, and only reports it: for a first week in production. */
  shadow: { ...BALANCED, isShadow: true },
} as const satisfies Record<string, Preset>;

/** The names of the presets. */
export type PresetName = keyof typeof PRESETS;

/** The preset of this name. Throws for an unknown name. */
export function presetOf(name: string): Preset {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw new DoomloopError(
    "invalid-option",
    `preset: one of ${Object.keys(PRESETS).join(", ")} is required, got ${name}`,
  );
}

function paceOf(blockRounds: number, blockSeconds: number, stopRounds: number, stopSeconds: number): LadderPace {
  const stop = { rounds: stopRounds, ms: stopSeconds * 1_000 };
  return { block: { rounds: blockRounds, ms: blockSeconds * 1_000 }, restart: stop, stop };
}

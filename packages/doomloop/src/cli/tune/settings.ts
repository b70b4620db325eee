import type { DetectorKind } from "../../core/detectors/index.ts";
import type { GuardOptions } from "../../core/options.ts";

/** One way to set up a guard, to be compared with others. */
export interface Setting {
  readonly name: string;
  readonly options: GuardOptions;
  /** The detector that is set otherwise than in the first setting; undefined for a whole preset. */
  readonly kind?: DetectorKind;
}

/** The options of a detector that make it speak later, step by step. */
const LATER: Readonly<Partial<Record<DetectorKind, readonly Readonly<Record<string, number>>[]>>> = {
  "repeated-call": [4, 5, 6].map((threshold) => ({
    threshold,
    looseThreshold: threshold,
    fuzzyThreshold: threshold + 1,
  })),
  "call-cycle": [{ laps: 3, beyond: 0 }],
  "similar-call": [5, 6, 8].map((threshold) => ({ threshold, failingThreshold: threshold + 1 })),
  "same-outcome": [5, 6, 8].map((threshold) => ({ threshold, answerThreshold: threshold + 1 })),
  "failure-streak": [{ threshold: 10 }, { threshold: 12 }],
  "test-fix": [{ threshold: 6 }, { threshold: 8 }],
  stalled: [{ threshold: 6 }, { threshold: 8 }],
  "text-only": [{ threshold: 12, repeatThreshold: 4 }],
};

/** The setting that is in use, the presets, and for each detector the ways to make it speak later or not at all. */
export function settingsFor(current: GuardOptions): readonly Setting[] {
  const { preset: _, ...own } = current;
  const presets = (["conservative", "balanced", "aggressive"] as const).map((preset) => ({
    name: preset,
    options: { ...own, preset },
  }));
  const kinds = Object.keys(LATER) as DetectorKind[];
  const sweep = kinds.flatMap((kind) => [
    ...LATER[kind]!.map((options) => ({
      // The others follow the first.
      name: `${kind} ${Object.entries(options)[0]!.join(" ")}`,
      options: withDetector(current, kind, options),
      kind,
    })),
    { name: `${kind} off`, options: withDetector(current, kind, false), kind },
  ]);
  return [{ name: "now", options: current }, ...presets, ...sweep];
}

/** The options of all settings but the one that is in use. */
export function alternativesTo(current: GuardOptions): readonly GuardOptions[] {
  return settingsFor(current)
    .slice(1)
    .map(({ options }) => options);
}

function withDetector(
  options: GuardOptions,
  kind: DetectorKind,
  own: Readonly<Record<string, number>> | false,
): GuardOptions {
  const before = options.detectors?.[kind];
  const merged = own === false ? false : { ...(before || {}), ...own };
  return { ...options, detectors: { ...options.detectors, [kind]: merged } };
}

import type { CustomDetector, CustomFinding } from "../custom-detector.ts";
import type { FleetFinding } from "../finding.ts";
import { callCycle } from "./call-cycle.ts";
import type { Detector } from "./detector.ts";
import { failureStreak } from "./failure-streak.ts";
import { repeatedCall } from "./repeated-call.ts";
import { repeatedText } from "./repeated-text.ts";
import { sameOutcome } from "./same-outcome.ts";
import { similarCall } from "./similar-call.ts";
import { stalled } from "./stalled.ts";
import { testFix } from "./test-fix.ts";
import { textOnly } from "./text-only.ts";

/** All detectors, the most telling first: if several see the same loop, the first one names it. */
export const detectors = {
  "call-cycle": callCycle,
  "repeated-call": repeatedCall,
  "similar-call": similarCall,
  "same-outcome": sameOutcome,
  stalled,
  "test-fix": testFix,
  "failure-streak": failureStreak,
  "repeated-text": repeatedText,
  "text-only": textOnly,
} as const;

type Detectors = typeof detectors;
/** The names of the detectors that watch one run. */
export type DetectorKind = keyof Detectors;

/** What a detector saw: facts, no words. */
export type DetectorFinding = NonNullable<ReturnType<ReturnType<Detectors[DetectorKind]>["inspect"]>>;

/** What was seen: facts, no words. A closed union over `kind`. */
export type Finding = DetectorFinding | CustomFinding | FleetFinding;
/** The kinds of finding: one for each detector, the host's own, and the fleet's. */
export type FindingKind = Finding["kind"];

/** The options of our own detectors; `false` switches one off. */
type OwnDetectorOptions = { readonly [Kind in DetectorKind]?: Parameters<Detectors[Kind]>[0] | false };

/** Options by detector, and detectors of your own under names of your own, from `defineDetector`. */
export type DetectorOptions = OwnDetectorOptions & {
  readonly [name: string]: CustomDetector | OwnDetectorOptions[DetectorKind];
};

/** Builds the detectors that are switched on: those of `priority` first, the others in their own order. */
export function createDetectors(
  options: DetectorOptions,
  priority: readonly DetectorKind[] = [],
): readonly Detector<DetectorFinding>[] {
  const created: Detector<DetectorFinding>[] = [];
  for (const kind of new Set([...priority, ...(Object.keys(detectors) as DetectorKind[])])) {
    const own = options[kind];
    if (own === false) continue;
    const create = detectors[kind] as (options?: object) => Detector<DetectorFinding>;
    created.push(create(own));
  }
  return created;
}

import { loopIdentity } from "../detectors/loop-identity.ts";
import type { RepeatedCallFinding } from "../detectors/repeated-call.ts";
import { hasSucceeded } from "../judge/judge-step.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Step } from "../step.ts";

/** What a rule of `repeat: "never"` finds in a call: that it succeeded before. */
export function neverAgain(run: RunState, step: Step): RepeatedCallFinding | undefined {
  if (step.isNewCall || !hasSucceeded(run, step.call)) return undefined;
  return {
    kind: "repeated-call",
    loop: loopIdentity("repeated-call", step.call),
    steps: [step.index],
    count: 2,
    confidence: 1,
    isCertain: true,
    tools: [step.tool],
    evidence: { outcome: "blind", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false, uncounted: [] },
  };
}

import { loopIdentity } from "../detectors/loop-identity.ts";
import type { RepeatedCallFinding } from "../detectors/repeated-call.ts";
import type { OpenCall } from "../memory/open-calls.ts";
import type { RunState } from "../memory/run-state.ts";

/** What a rule of `repeat: "never"` finds in a call: that it succeeded before. */
export function neverAgain(run: RunState, call: OpenCall): RepeatedCallFinding | undefined {
  if (call.isNewCall || !run.calls.hasSucceeded(call.call)) return undefined;
  return {
    kind: "repeated-call",
    loop: loopIdentity("repeated-call", call.call),
    steps: [call.index],
    count: 2,
    confidence: 1,
    isCertain: true,
    tools: [call.tool],
    evidence: { outcome: "blind", isFuzzy: false, isWaiting: false, isFailing: false, isBusy: false },
  };
}

import { loopIdentity } from "./detectors/loop-identity.ts";
import type { FleetFinding } from "./finding.ts";
import type { FleetMember } from "./fleet-member.ts";
import type { OpenCall } from "./memory/open-calls.ts";
import type { Step } from "./step.ts";

/** Tells the fleet of a judged step. */
export function reportToFleet(fleet: FleetMember | undefined, step: Step | undefined): void {
  if (fleet === undefined || step === undefined || step.isExcused || step.isTwin) return;
  fleet.report({
    id: String(step.index),
    fingerprint: step.like ?? step.call,
    tool: step.tool,
    isBarren: step.failure !== undefined || !step.isNew,
  });
}

/** What the fleet knows of a call that is about to be made. */
export function fleetFinding(fleet: FleetMember | undefined, call: OpenCall): FleetFinding | undefined {
  const fingerprint = call.like ?? call.call;
  const verdict = fleet?.verdict(fingerprint);
  if (verdict === undefined) return undefined;
  return {
    kind: "fleet",
    loop: loopIdentity("fleet", fingerprint),
    steps: [call.index],
    count: verdict.calls,
    confidence: 0.8,
    tools: [call.tool],
    evidence: { workers: verdict.workers, windowMs: verdict.windowMs },
  };
}

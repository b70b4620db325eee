import { loopIdentity } from "./detectors/loop-identity.ts";
import type { FleetFinding } from "./finding.ts";
import type { FleetMember, FleetVerdict } from "./fleet-member.ts";
import type { OpenCall } from "./memory/open-calls.ts";
import type { Step } from "./step.ts";

/** A worker's view of its fleet. The fleet is the host's: one that throws is reported, and is as good as absent. */
export interface FleetEvidence {
  /** Tells the fleet of a judged step; `life` tells the runs of one guard apart. */
  report(step: Step | undefined, life: number, looksAtOutcomes: boolean): void;
  /** What the fleet knows of a call that is about to be made. */
  findingFor(call: OpenCall): FleetFinding | undefined;
}

export function createFleetEvidence(
  fleet: FleetMember | undefined,
  onFault: (fault: unknown) => void,
): FleetEvidence | undefined {
  if (fleet === undefined) return undefined;
  const safely = <Value>(ask: () => Value): Value | undefined => {
    try {
      return ask();
    } catch (fault) {
      onFault(fault);
      return undefined;
    }
  };

  return {
    report(step, life, looksAtOutcomes) {
      if (step === undefined || !step.isComparable || step.isSynthetic || step.isExcused || step.isTwin) return;
      const { index, tool, call, facts } = step;
      const isBarren = barrennessOf(step, looksAtOutcomes);
      safely(() => fleet.report({ id: `${life}.${index}`, fingerprint: facts.like ?? call, tool, isBarren }));
    },
    findingFor(call) {
      if (!call.isComparable) return undefined;
      const fingerprint = call.facts.like ?? call.call;
      const verdict = safely(() => fleet.verdict(fingerprint));
      if (verdict === undefined || !isVerdict(verdict)) return undefined;
      return {
        kind: "fleet",
        loop: loopIdentity("fleet", fingerprint),
        steps: [call.index],
        count: verdict.calls,
        confidence: 0.8,
        tools: [call.tool],
        evidence: { workers: verdict.workers, windowMs: verdict.windowMs },
      };
    },
  };
}

/** A test that fails in a new way is neither a dead end nor a way out of one. */
function barrennessOf(step: Step, looksAtOutcomes: boolean): boolean | undefined {
  if (step.isBlind) return undefined;
  if (step.failure === undefined) return looksAtOutcomes ? !step.isNew : undefined;
  return step.isNew && step.facts.mayTest && step.facts.effect.isTest ? undefined : true;
}

function isVerdict(verdict: FleetVerdict): boolean {
  const { calls, workers, windowMs } = verdict ?? {};
  return [calls, workers, windowMs].every((value) => Number.isFinite(value) && value >= 0);
}

import { loopIdentity } from "./detectors/loop-identity.ts";
import type { FleetFinding } from "./finding.ts";
import type { FleetMember, FleetMode, FleetVerdict } from "./fleet-member.ts";
import type { Digest } from "./identity/digest.ts";
import type { OpenCall } from "./memory/open-calls.ts";
import type { Step } from "./step.ts";

/** A worker's view of its fleet. The fleet is the host's: one that throws is reported, and is as good as absent. */
export interface FleetEvidence {
  /** Tells the fleet of a judged step; `life` tells the runs of one guard apart. */
  report(step: Step | undefined, life: number, looksAtOutcomes: boolean): void;
  /** What the fleet knows of a call that is about to be made. */
  findingFor(call: OpenCall): FleetFinding | undefined;
  /** Whether the fleet as a whole is stuck on what this step did. */
  confirms(step: Step | undefined): boolean;
  mode(): FleetMode;
  /** Tells the fleet that this run loops, by its own evidence. */
  looping(): void;
  mayStop(): boolean;
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

  const verdictOn = (fingerprint: Digest): FleetVerdict | undefined => {
    const verdict = safely(() => fleet.verdict(fingerprint));
    return verdict !== undefined && isVerdict(verdict) ? verdict : undefined;
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
      const verdict = verdictOn(fingerprint);
      if (verdict === undefined) return undefined;
      return {
        kind: "fleet",
        loop: loopIdentity("fleet", fingerprint),
        steps: [call.index],
        count: verdict.calls,
        confidence: 0.8,
        isCertain: false,
        tools: [call.tool],
        evidence: { workers: verdict.workers, windowMs: verdict.windowMs },
      };
    },
    confirms: (step) =>
      step?.isComparable === true && !step.isExcused && verdictOn(step.facts.like ?? step.call) !== undefined,
    mode() {
      const mode = fleet.mode && safely(() => fleet.mode?.());
      return mode === "shadow" || mode === "off" ? mode : "on";
    },
    looping: () => safely(() => fleet.looping?.()),
    mayStop: () => safely(() => fleet.mayStop?.()) !== false,
  };
}

/** A test that fails in a new way is neither a dead end nor a way out of one. */
function barrennessOf(step: Step, looksAtOutcomes: boolean): boolean | undefined {
  if (step.isBlind) return undefined;
  // What is innocent for one worker, because it waits, samples or works on, is no sign of a dead end for all.
  const { reason } = step.exact;
  if (step.failure === undefined && reason !== undefined && reason !== "new-outcome") return undefined;
  if (step.failure === undefined) return looksAtOutcomes ? !step.isNew : undefined;
  return step.isNew && step.facts.mayTest && step.facts.effect.isTest ? undefined : true;
}

function isVerdict(verdict: FleetVerdict): boolean {
  const { calls, workers, windowMs } = verdict ?? {};
  return [calls, workers, windowMs].every((value) => Number.isFinite(value) && value >= 0);
}

import { fingerprintOfStep } from "./call-fingerprint.ts";
import { loopIdentity } from "./detectors/detector.ts";
import { safely } from "./faults.ts";
import type { FleetFinding } from "./finding.ts";
import type { FleetMember, FleetMode, FleetVerdict } from "./fleet-member.ts";
import type { Digest } from "./identity/digest.ts";
import type { JudgedStep, Step } from "./step.ts";

/** A worker's view of its fleet. The fleet is the host's code: if it throws, the fault is reported, and the guard goes on without a fleet. */
export interface FleetEvidence {
  /** Reports a judged step to the fleet; `life` tells the runs of one guard apart. */
  report(judged: JudgedStep, life: number, looksAtOutcomes: boolean): void;
  /** What the fleet knows of a call that is about to be made. */
  findingFor(step: Step): FleetFinding | undefined;
  /** Whether the fleet as a whole is stuck on what this step did. */
  confirms(judged: JudgedStep): boolean;
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
  const asked = <Value>(ask: () => Value): Value | undefined => safely(ask, onFault);

  const verdictOn = (fingerprint: Digest): FleetVerdict | undefined => {
    const verdict = asked(() => fleet.verdict(fingerprint));
    return verdict !== undefined && isVerdict(verdict) ? verdict : undefined;
  };

  return {
    report(judged, life, looksAtOutcomes) {
      const { step } = judged;
      if (!step.isComparable || step.isSynthetic || judged.isExcused || judged.isSameRoundDuplicate) return;
      const isBarren = barrennessOf(judged, looksAtOutcomes);
      const { index, tool } = step;
      asked(() => fleet.report({ id: `${life}.${index}`, fingerprint: fingerprintOfStep(step), tool, isBarren }));
    },
    findingFor(step) {
      if (!step.isComparable) return undefined;
      const fingerprint = fingerprintOfStep(step);
      const verdict = verdictOn(fingerprint);
      if (verdict === undefined) return undefined;
      return {
        kind: "fleet",
        loop: loopIdentity("fleet", fingerprint),
        steps: [step.index],
        count: verdict.calls,
        confidence: 0.8,
        isCertain: false,
        tools: [step.tool],
        evidence: { workers: verdict.workers, windowMs: verdict.windowMs },
      };
    },
    confirms: ({ step, isExcused }) =>
      step.isComparable && !isExcused && verdictOn(fingerprintOfStep(step)) !== undefined,
    mode() {
      const mode = fleet.mode && asked(() => fleet.mode?.());
      return mode === "shadow" || mode === "off" ? mode : "on";
    },
    looping: () => asked(() => fleet.looping?.()),
    mayStop: () => asked(() => fleet.mayStop?.()) !== false,
  };
}

/** Whether a step came to nothing; undefined if it says nothing about a dead end, as a test that fails in a new way. */
function barrennessOf({ step, blindness, isNew, exact }: JudgedStep, looksAtOutcomes: boolean): boolean | undefined {
  if (blindness !== "none") return undefined;
  if (step.failure !== undefined) return isNew && step.facts.reading.act === "measures" ? undefined : true;
  const { reason } = exact;
  if (!looksAtOutcomes || reason === "waiting") return undefined;
  // Asked again for a good reason, and it worked: a call that fails at times is no dead end.
  return reason === undefined || reason === "new-outcome" ? !isNew : false;
}

function isVerdict(verdict: FleetVerdict): boolean {
  const { calls, workers, windowMs } = verdict ?? {};
  return [calls, workers, windowMs].every((value) => Number.isFinite(value) && value >= 0);
}

import { fingerprintInWorld, fingerprintOfStep } from "./call-fingerprint.ts";
import { HASTY } from "./evidence/numbers.ts";
import { safely } from "./faults.ts";
import type { FleetFinding } from "./finding.ts";
import type { FleetMember, FleetMode, FleetVerdict } from "./fleet-member.ts";
import { type Digest, loopIdentity } from "./identity/digest.ts";
import type { Step } from "./memory/step.ts";
import type { ToolRule } from "./tool-rule.ts";

/** A worker's view of its fleet. The fleet is the host's code: if it throws, the fault is reported, and the guard goes on without a fleet. */
export interface FleetEvidence {
  /** Reports a step to the fleet; `life` tells the runs of one guard apart. */
  report(step: Step, life: number, rule: ToolRule): void;
  /** What the fleet knows of a call that is about to be made. */
  findingFor(step: Step): FleetFinding | undefined;
  /** Whether the fleet as a whole is stuck on what this step did. */
  confirms(step: Step): boolean;
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

  /** The key under which the fleet counts a step; undefined if it is no business of the fleet's. */
  const keyOf = (step: Step): Digest | undefined => {
    if (!step.isComparable || step.scope === undefined || step.scope === "never") return undefined;
    const fingerprint = fingerprintOfStep(step);
    if (step.scope === "shared") return fingerprint;
    const { world } = fleet;
    return typeof world === "string" ? fingerprintInWorld(fingerprint, world) : undefined;
  };

  const verdictOn = (step: Step): FleetVerdict | undefined => {
    const fingerprint = asked(() => keyOf(step));
    const verdict = fingerprint === undefined ? undefined : asked(() => fleet.verdict(fingerprint));
    return verdict !== undefined && isVerdict(verdict) ? verdict : undefined;
  };

  return {
    report(step, life, rule) {
      if (!step.isComparable || step.isSynthetic || step.reason === "same-round") return;
      const isBarren = barrennessOf(step, rule);
      const { index, tool } = step;
      asked(() => fleet.report({ id: `${life}.${index}`, fingerprint: keyOf(step), tool, isBarren }));
    },
    findingFor(step) {
      const verdict = verdictOn(step);
      if (verdict === undefined) return undefined;
      return {
        kind: "fleet",
        loop: loopIdentity("fleet", fingerprintOfStep(step)),
        steps: [step.index],
        count: verdict.calls,
        weight: 1,
        confidence: 0.8,
        tools: [step.tool],
        evidence: { workers: verdict.workers, windowMs: verdict.windowMs },
      };
    },
    confirms: (step) => !step.isExcused && verdictOn(step) !== undefined,
    mode() {
      const mode = fleet.mode && asked(() => fleet.mode?.());
      return mode === "shadow" || mode === "off" ? mode : "on";
    },
    looping: () => asked(() => fleet.looping?.()),
    mayStop: () => asked(() => fleet.mayStop?.()) !== false,
  };
}

/** Whether a step came to nothing; undefined if it says nothing about a dead end, as a test that fails in a new way. */
function barrennessOf(step: Step, { poll }: ToolRule): boolean | undefined {
  // Before its result, only a call that is counted as a repeat is known to be barren.
  if (!step.isSeen) return step.added > 0 ? true : undefined;
  const { failure, effect, waitMs, added, reason } = step;
  if (failure !== undefined || step.isNo) {
    // What may pass by itself is no dead end until the guard loses its patience with it.
    const mayPass = failure?.isBusy === true || Boolean(poll) || effect === "wait" || waitMs > 0;
    if (mayPass) return added > HASTY ? true : undefined;
    return effect === "test" && step.repeats === 1 ? undefined : true;
  }
  if (reason === "waiting") return undefined;
  // Asked again for a good reason, and it worked: a call that fails at times is no dead end. What may be waiting says nothing.
  return added > 0 && added <= HASTY ? undefined : added > 0;
}

function isVerdict(verdict: FleetVerdict): boolean {
  const { calls, workers, windowMs } = verdict ?? {};
  return [calls, workers, windowMs].every((value) => Number.isFinite(value) && value >= 0);
}

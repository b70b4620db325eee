import { fingerprintInWorld, fingerprintOfStep } from "./call-fingerprint.ts";
import { loopIdentity } from "./detectors/detector.ts";
import { safely } from "./faults.ts";
import type { FleetFinding } from "./finding.ts";
import type { FleetMember, FleetMode, FleetVerdict } from "./fleet-member.ts";
import type { Digest } from "./identity/digest.ts";
import type { Failure } from "./outcome/read-failure.ts";
import type { JudgedStep, Step } from "./step.ts";
import type { ToolRule } from "./tool-rule.ts";

/** A worker's view of its fleet. The fleet is the host's code: if it throws, the fault is reported, and the guard goes on without a fleet. */
export interface FleetEvidence {
  /** Reports a judged step to the fleet; `life` tells the runs of one guard apart. */
  report(judged: JudgedStep, life: number, terms: ReportTerms): void;
  /** What the fleet knows of a call that is about to be made. */
  findingFor(step: Step): FleetFinding | undefined;
  /** Whether the fleet as a whole is stuck on what this step did. */
  confirms(judged: JudgedStep): boolean;
  mode(): FleetMode;
  /** Tells the fleet that this run loops, by its own evidence. */
  looping(): void;
  mayStop(): boolean;
}

/** How a step is to be reported. */
interface ReportTerms {
  readonly looksAtOutcomes: boolean;
  /** The rule of the step's tool. */
  readonly rule: ToolRule;
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
    report(judged, life, terms) {
      const { step } = judged;
      if (!step.isComparable || step.isSynthetic || judged.isExcused || judged.isSameRoundDuplicate) return;
      const isBarren = barrennessOf(judged, terms);
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
        confidence: 0.8,
        isCertain: false,
        tools: [step.tool],
        evidence: { workers: verdict.workers, windowMs: verdict.windowMs },
      };
    },
    confirms: ({ step, isExcused }) => !isExcused && verdictOn(step) !== undefined,
    mode() {
      const mode = fleet.mode && asked(() => fleet.mode?.());
      return mode === "shadow" || mode === "off" ? mode : "on";
    },
    looping: () => asked(() => fleet.looping?.()),
    mayStop: () => asked(() => fleet.mayStop?.()) !== false,
  };
}

/** Whether a step came to nothing; undefined if it says nothing about a dead end, as a test that fails in a new way. */
function barrennessOf(judged: JudgedStep, { looksAtOutcomes, rule }: ReportTerms): boolean | undefined {
  const { step, blindness, isNew, exact } = judged;
  if (blindness !== "none") return undefined;
  // What may pass by itself is no dead end until the guard itself counts it.
  if (step.failure !== undefined && mayPass(step.failure, judged, rule)) return isCounted(judged) ? true : undefined;
  if (step.failure !== undefined) return isNew && step.facts.reading.act === "measures" ? undefined : true;
  const { reason } = exact;
  if (!looksAtOutcomes || reason === "waiting") return undefined;
  // Asked again for a good reason, and it worked: a call that fails at times is no dead end.
  return reason === undefined || reason === "new-outcome" ? !isNew : false;
}

/** Whether a failure may go away without anybody's doing: a lock, a limit, a service that is not ready, whatever is polled. */
function mayPass({ isBusy }: Failure, { step, isWaiting }: JudgedStep, { poll }: ToolRule): boolean {
  const { act, waitMs } = step.facts.reading;
  return isBusy || isWaiting || Boolean(poll) || act === "waits" || waitMs > 0;
}

/** Whether the guard counts a step as a repeat without progress. */
function isCounted({ exact, fuzzy }: JudgedStep): boolean {
  return exact.reason === undefined || (fuzzy !== undefined && fuzzy.reason === undefined);
}

function isVerdict(verdict: FleetVerdict): boolean {
  const { calls, workers, windowMs } = verdict ?? {};
  return [calls, workers, windowMs].every((value) => Number.isFinite(value) && value >= 0);
}

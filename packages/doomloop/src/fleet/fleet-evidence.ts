import { addLatest } from "../core/collections/bounded.ts";
import { HASTY } from "../core/evidence/numbers.ts";
import { safely } from "../core/faults.ts";
import type { FleetFinding } from "../core/finding.ts";
import type { FleetView } from "../core/fleet-view.ts";
import { type Digest, digestOfAll, loopIdentity } from "../core/identity/digest.ts";
import type { FleetScope, Step } from "../core/memory/step.ts";
import type { ToolRule } from "../core/policy/tool-rules.ts";
import type { FleetMember, FleetSide, FleetVerdict } from "./fleet-member.ts";
import { isRemoteFailure, scopeOf } from "./fleet-scope.ts";

const MAX_ANNOUNCED = 64;

/** A member that a guard can join its fleet with. */
export function memberOf(side: FleetSide): FleetMember {
  return { ...side, evidence: createFleetView };
}

/**
 * What a worker reports to its fleet, and what it makes of the answers. The member is the host's code: if it throws, the fault is reported,
 * and the guard goes on without a fleet.
 */
function createFleetView(fleet: FleetSide, onFault: (fault: unknown) => void): FleetView {
  const asked = <Value>(ask: () => Value): Value | undefined => safely(ask, onFault);

  /** The key under which the fleet counts a step; undefined if it is no business of the fleet's. */
  const keyOf = (step: Step): Digest | undefined => {
    if (!step.isComparable || step.scope === undefined || step.scope === "never") return undefined;
    const fingerprint = step.substance ?? step.key;
    if (step.scope !== "own") return fingerprint;
    const { world } = fleet;
    return typeof world === "string" ? digestOfAll("world", world, fingerprint) : undefined;
  };

  const verdictOn = (step: Step): FleetVerdict | undefined => {
    const fingerprint = asked(() => keyOf(step));
    const verdict = fingerprint === undefined ? undefined : asked(() => fleet.verdict(fingerprint));
    return verdict !== undefined && isVerdict(verdict) ? verdict : undefined;
  };

  const findingOn = (step: Step): FleetFinding | undefined => {
    const verdict = verdictOn(step);
    if (verdict === undefined) return undefined;
    return {
      kind: "fleet",
      loop: loopIdentity("fleet", step.substance ?? step.key),
      steps: [step.index],
      count: verdict.calls,
      weight: 1,
      confidence: 0.8,
      tools: [step.tool],
      evidence: {
        ...{ workers: verdict.workers, windowMs: verdict.windowMs },
        ...(verdict.counted === "processes" && { counted: verdict.counted }),
      },
    };
  };

  return {
    scopeOf: (read, rule, args) =>
      declaredScope(typeof rule.fleet === "function" ? rule.fleet(args) : rule.fleet) ?? scopeOf(read),
    isRemote: isRemoteFailure,
    report(step, life, rule) {
      if (!step.isComparable || step.isSynthetic || step.reason === "same-round") return;
      const isBarren = barrennessOf(step, rule);
      const { index, tool } = step;
      asked(() => fleet.report({ id: `${life}.${index}`, fingerprint: keyOf(step), tool, isBarren }));
    },
    findingFor(step, { allowed, announced }, isShadow) {
      const finding = findingOn(step);
      if (finding === undefined || allowed.includes(finding.loop)) return undefined;
      // What was only seen in shadow mode has not been told yet.
      const announcement = isShadow ? `shadow ${finding.loop}` : finding.loop;
      if (announced.includes(announcement)) return undefined;
      addLatest(announced, announcement, MAX_ANNOUNCED);
      return finding;
    },
    confirms: (step) => !step.isExcused && !failsByItself(step) && verdictOn(step) !== undefined,
    mode() {
      const mode = fleet.mode && asked(() => fleet.mode?.());
      return mode === "shadow" || mode === "off" ? mode : "on";
    },
  };
}

/** What the rule of a tool says, if it is one of the known words. */
function declaredScope(scope: unknown): FleetScope | undefined {
  return scope === "shared" || scope === "own" || scope === "never" ? scope : undefined;
}

/** Whether a call about an address that all share failed for a reason that may be the worker's own. It proves nothing about the address. */
function failsByItself({ scope, failure, isNo }: Step): boolean {
  return scope === "address" && (failure !== undefined || isNo) && failure?.isRemote !== true;
}

/** Whether a step came to nothing; undefined if it says nothing about a dead end, as a test that fails in a new way. */
function barrennessOf(step: Step, { poll }: ToolRule): boolean | undefined {
  // Before its result, only a call that is counted as a repeat is known to be barren.
  if (!step.isSeen) return step.added > 0 ? true : undefined;
  const { failure, effect, waitMs, added, reason } = step;
  if (failure !== undefined || step.isNo) {
    if (failsByItself(step)) return undefined;
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

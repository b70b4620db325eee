import { addLatest } from "../core/collections/bounded.ts";
import { safely } from "../core/faults.ts";
import type { FleetFinding } from "../core/finding.ts";
import type { FleetView } from "../core/fleet-view.ts";
import { type Digest, digestOfAll, loopIdentity } from "../core/identity/digest.ts";
import type { Judged } from "../core/judged.ts";
import type { ToolRule } from "../core/policy/tool-rules.ts";
import type { FleetScope } from "../core/reading/run-memory.ts";
import { isVain } from "../core/step.ts";
import type { FleetMember, FleetSide, FleetVerdict } from "./fleet-member.ts";
import { isRemoteFailure, scopeOf } from "./fleet-scope.ts";

const MAX_ANNOUNCED = 64;
/** What may pass by itself is no dead end before so many tries. A repeat that adds no more may be a check of something that takes its time. */
const PATIENT_TRIES = 12;
const HASTY = 1 / 5;

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
  const keyOf = ({ open: { shared } }: Judged): Digest | undefined => {
    if (shared === undefined || shared.scope === "never") return undefined;
    const { scope, fingerprint } = shared;
    if (scope !== "own") return fingerprint;
    const { world } = fleet;
    return typeof world === "string" ? digestOfAll("world", world, fingerprint) : undefined;
  };

  const verdictOn = (judged: Judged): FleetVerdict | undefined => {
    const fingerprint = asked(() => keyOf(judged));
    const verdict = fingerprint === undefined ? undefined : asked(() => fleet.verdict(fingerprint));
    return verdict !== undefined && isVerdict(verdict) ? verdict : undefined;
  };

  const findingOn = (judged: Judged): FleetFinding | undefined => {
    const verdict = verdictOn(judged);
    const { step, open } = judged;
    if (verdict === undefined || open.shared === undefined) return undefined;
    return {
      kind: "fleet",
      loop: loopIdentity("fleet", open.shared.fingerprint),
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
    scopeOf: (tool, args, rule) =>
      declaredScope(typeof rule.fleet === "function" ? rule.fleet(args) : rule.fleet) ?? scopeOf(tool, args),
    report(judged, life, rule) {
      if (judged.open.shared === undefined || judged.isSynthetic || judged.reason === "same-round") return;
      const isBarren = barrennessOf(judged, rule);
      const { index, tool } = judged.step;
      asked(() => fleet.report({ id: `${life}.${index}`, fingerprint: keyOf(judged), tool, isBarren }));
    },
    findingFor(judged, { allowed, announced }, isShadow) {
      const finding = findingOn(judged);
      if (finding === undefined || allowed.includes(finding.loop)) return undefined;
      // What was only seen in shadow mode has not been told yet.
      const announcement = isShadow ? `shadow ${finding.loop}` : finding.loop;
      if (announced.includes(announcement)) return undefined;
      addLatest(announced, announcement, MAX_ANNOUNCED);
      return finding;
    },
    confirms: (judged) => judged.step.waitedMs === 0 && !failsByItself(judged) && verdictOn(judged) !== undefined,
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
function failsByItself({ open, step, text }: Judged): boolean {
  return open.shared?.scope === "address" && isVain(step) && !isRemoteFailure(text ?? "");
}

/** Whether a step came to nothing; undefined if it says nothing about a dead end, as a test that fails in a new way. */
function barrennessOf(judged: Judged, { poll }: ToolRule): boolean | undefined {
  const { step, text, added, reason } = judged;
  // Before its result, only a call that is counted as a repeat is known to be barren.
  if (text === undefined) return added > 0 ? true : undefined;
  const { failure, effect, waitedMs } = step;
  if (isVain(step)) {
    if (failsByItself(judged)) return undefined;
    // What may pass by itself is no dead end until the guard loses its patience with it.
    const mayPass = failure?.isTransient === true || Boolean(poll) || effect === "wait" || waitedMs > 0;
    if (mayPass) return !poll && judged.repeats > PATIENT_TRIES ? true : undefined;
    return effect === "test" && judged.repeats === 1 ? undefined : true;
  }
  if (reason === "waiting") return undefined;
  // Asked again for a good reason, and it worked: a call that fails at times is no dead end. What may be waiting says nothing.
  return added > 0 && added <= HASTY ? undefined : added > 0;
}

function isVerdict(verdict: FleetVerdict): boolean {
  const { calls, workers, windowMs } = verdict ?? {};
  return [calls, workers, windowMs].every((value) => Number.isFinite(value) && value >= 0);
}

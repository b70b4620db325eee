import type { CallEvent } from "./event.ts";
import { scopeOf } from "./fleet-scope.ts";
import { type Digest, digestOfAll } from "./identity/digest.ts";
import type { Platform } from "./identity/platform.ts";
import { identifyCall } from "./new-step.ts";
import { readFacts } from "./progress/call-facts.ts";
import type { Step } from "./step.ts";

/** The key under which a fleet knows a step: its call in substance, or the exact call if that says no more. */
export function fingerprintOfStep(step: Pick<Step, "call" | "facts">): Digest {
  return step.facts.like ?? step.call;
}

/** The key of a call about something that only the workers of one world share. */
export function fingerprintInWorld(fingerprint: Digest, world: string): Digest {
  return digestOfAll("world", world, fingerprint);
}

/** A call as a fleet knows it. */
interface FleetCall {
  readonly scope: "shared" | "own";
  /** Its key: in the world that was named if it is about a worker's own, otherwise as all workers share it. */
  readonly fingerprint: Digest;
}

/**
 * What a fleet knows of any call, as a guard without a rule for its tool would report it from this world. Undefined if the arguments cannot
 * be compared: no fleet hears of such a call.
 */
export function fleetCallOf(event: CallEvent, platform: Platform, world?: string): FleetCall | undefined {
  const { call, args, kept } = identifyCall(event, 0, platform);
  if (kept === undefined) return undefined;
  const changes = typeof event.readOnly === "boolean" ? !event.readOnly : undefined;
  const facts = readFacts({ tool: event.tool, args, changes }, { declared: undefined, isPrimary: false }, platform);
  const plain = fingerprintOfStep({ call, facts });
  const scope = scopeOf(facts, args);
  return { scope, fingerprint: scope === "shared" || world === undefined ? plain : fingerprintInWorld(plain, world) };
}

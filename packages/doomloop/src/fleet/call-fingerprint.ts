import type { CallEvent } from "../core/event.ts";
import { newStep } from "../core/evidence/new-step.ts";
import { type Digest, digestOfAll } from "../core/identity/digest.ts";
import type { Platform } from "../core/identity/read-object.ts";
import { createRunState } from "../core/memory/run-state.ts";
import type { Step } from "../core/memory/step.ts";
import { scopeOf } from "./fleet-scope.ts";

/** The key under which a fleet knows a step: what it is about, or the call without what is incidental. */
export function fingerprintOfStep({ substance, key }: Pick<Step, "substance" | "key">): Digest {
  return substance ?? key;
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
  const changes = typeof event.readOnly === "boolean" ? !event.readOnly : undefined;
  const terms = { changes, identity: undefined, isPoll: false, isWayOut: undefined, patienceMs: 0, scopeOf };
  const step = newStep(createRunState(), event, terms, platform);
  if (!step.isComparable) return undefined;
  const plain = fingerprintOfStep(step);
  const scope = step.scope === "address" ? "shared" : "own";
  return { scope, fingerprint: scope === "shared" || world === undefined ? plain : fingerprintInWorld(plain, world) };
}

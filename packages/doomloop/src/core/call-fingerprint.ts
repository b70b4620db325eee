import type { CallEvent } from "./event.ts";
import type { Digest } from "./identity/digest.ts";
import type { Platform } from "./identity/platform.ts";
import { identifyCall } from "./new-step.ts";
import { readFacts } from "./progress/call-facts.ts";
import type { Step } from "./step.ts";

/** The key under which a fleet knows a step: its call in substance, or the exact call if that says no more. */
export function fingerprintOfStep(step: Pick<Step, "call" | "facts">): Digest {
  return step.facts.like ?? step.call;
}

/**
 * The same key for any call, as a guard without a rule for its tool would compute it. Undefined if the arguments cannot be compared: no
 * fleet hears of such a call.
 */
export function callFingerprint(event: CallEvent, platform: Platform): Digest | undefined {
  const { call, args, kept } = identifyCall(event, 0, platform);
  if (kept === undefined) return undefined;
  const changes = typeof event.readOnly === "boolean" ? !event.readOnly : undefined;
  return fingerprintOfStep({
    call,
    facts: readFacts({ tool: event.tool, args, changes }, { declared: undefined, isPrimary: false }, platform),
  });
}

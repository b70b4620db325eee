import type { CallEvent } from "./event.ts";
import type { Digest } from "./identity/digest.ts";
import type { Platform } from "./identity/platform.ts";
import { identifyCall } from "./new-step.ts";
import { factsOf, readLazily } from "./progress/call-facts.ts";
import type { Step } from "./step.ts";

/** What a fleet knows a step by: its call in substance, or exactly where that says no more. */
export function fingerprintOfStep(step: Pick<Step, "call" | "facts">): Digest {
  return factsOf(step).like ?? step.call;
}

/**
 * The same for a call that nobody made, by a guard without a rule for its tool. Undefined if its arguments cannot be compared: no fleet
 * hears of such a call.
 */
export function callFingerprint(event: CallEvent, platform: Platform): Digest | undefined {
  const { call, args, kept } = identifyCall(event, 0, platform);
  if (kept === undefined) return undefined;
  const changes = typeof event.readOnly === "boolean" ? !event.readOnly : undefined;
  return fingerprintOfStep({
    call,
    facts: readLazily({ tool: event.tool, args, changes }, { declared: undefined, isPrimary: false }, platform),
  });
}

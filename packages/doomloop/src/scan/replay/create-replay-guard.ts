import type { Decision, OwnDecision } from "../../core/decision.ts";
import { type CoreGuard, createCoreGuard } from "../../core/guard.ts";
import type { GuardOptions } from "../../core/options.ts";
import { platform } from "../../platform.ts";

/**
 * Creates a guard for a run that goes on as it was recorded, whatever is decided: an end holds for no call after it, so that
 * later loops are seen as well.
 */
export function createReplayGuard(options: GuardOptions = {}): Pick<CoreGuard, "observe" | "shown" | "stats"> {
  let stop: Decision | undefined;
  const onDecision = (decision: Decision): OwnDecision | undefined => {
    const own = options.onDecision?.(decision) ?? undefined;
    if ((own ?? decision).action !== "stop" || decision.action !== "stop") return own;
    stop = decision;
    return { action: "block" };
  };
  const guard = createCoreGuard({ ...options, onDecision }, platform);
  return {
    observe(event) {
      stop = undefined;
      const decision = guard.observe(event);
      return stop ?? decision;
    },
    shown: () => guard.shown(),
    stats: () => guard.stats(),
  };
}

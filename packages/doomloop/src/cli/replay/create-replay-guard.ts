import type { Decision } from "../../core/decision.ts";
import type { Guard } from "../../core/guard.ts";
import type { GuardOptions } from "../../core/options.ts";
import { createGuard } from "../../index.ts";

/**
 * Creates a guard for a run that goes on as it was recorded, whatever is decided: an end holds for no call after it, so that
 * later loops are seen as well.
 */
export function createReplayGuard(options: GuardOptions = {}): Pick<Guard, "observe" | "stats"> {
  let stop: Decision | undefined;
  const guard = createGuard({
    ...options,
    onDecision(decision) {
      const own = options.onDecision?.(decision);
      if ((own ?? decision).action !== "stop" || decision.action !== "stop") return own;
      stop = decision;
      return { action: "block" };
    },
  });
  return {
    observe(event) {
      stop = undefined;
      const decision = guard.observe(event);
      return stop ?? decision;
    },
    stats: () => guard.stats(),
  };
}

import { createGuardOn, type GuardOptions, WARNING_PLATFORM } from "../create-guard.ts";
import { type Guard, withCall } from "../guarded-call.ts";
import { countJudge } from "./count-judge.ts";
import type { CountRules } from "./count-rules.ts";

/**
 * Creates a guard that counts by rules of your own, instead of weighing evidence: `createCountingGuard({ repeats: 3, within: 20 })`.
 *
 * `levels`, `patienceMs` and `detectors` have no effect on it, and `ladder` lists the actions in their order:
 * `["nudge", "nudge", "stop"]`. Throws a `DoomloopError` for invalid rules or options; nothing throws after that.
 */
export function createCountingGuard(rules: CountRules, options: GuardOptions = {}): Guard {
  return withCall(createGuardOn(options, WARNING_PLATFORM, countJudge(rules)));
}

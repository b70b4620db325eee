import { checkEvent } from "./checks/check-event.ts";
import { checkOptions } from "./checks/check-options.ts";
import { type CoreGuard, createCoreGuard } from "./core/guard.ts";
import type { Platform } from "./core/identity/read-object.ts";
import type { JudgeFactory } from "./core/judge.ts";
import { type CoreOptions, resolveOptions } from "./core/options.ts";
import { countJudge } from "./counting/count-judge.ts";
import type { CountRules } from "./counting/count-rules.ts";
import { joinFleetOf } from "./fleet/fleet-evidence.ts";
import type { FleetMember } from "./fleet/fleet-member.ts";
import { type Guard, withCall } from "./guarded-call.ts";
import { platform } from "./platform.ts";
import { warnOnce } from "./warn-once.ts";

/** The options of a guard. All of them are optional. */
export interface GuardOptions extends CoreOptions {
  /**
   * Plain counts by rules of your own, instead of evidence: `{ repeats: 3, within: 20 }`. `levels`, `patienceMs` and our own `detectors` then
   * have no effect, and `ladder` lists the actions in their order: `["nudge", "nudge", "stop"]`.
   * @default undefined
   */
  readonly counts?: CountRules | undefined;
  /** The worker's side of a fleet, from `doomloop/fleet`. */
  readonly fleet?: FleetMember | undefined;
}

/** Without an `onFault`, a guard warns by itself. */
const WARNING_PLATFORM: Platform = { ...platform, warn: warnOnce };

/**
 * Creates a guard for one run. The default preset is `balanced`, which nudges first and stops last.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function createGuard(options: GuardOptions = {}): Guard {
  return withCall(createGuardOn(options, WARNING_PLATFORM));
}

/** Creates a guard that does not warn by itself, or does so in another way. */
export function createGuardOn(options: GuardOptions, own: Platform): CoreGuard {
  checkOptions(options);
  return createCoreGuard(options, own, { judgeBy: judgeOf(options), checkEvent, join: joinFleetOf(options) });
}

/** Throws a `DoomloopError` for invalid options. The rules of tools are only checked when a guard is created. */
export function checkGuardOptions(options: GuardOptions): void {
  checkOptions(options);
  const resolved = resolveOptions(options);
  judgeOf(options)?.(resolved);
}

/** The judge that counts, if there are rules for it. */
function judgeOf(options: GuardOptions): JudgeFactory | undefined {
  return options.counts && countJudge(options.counts);
}

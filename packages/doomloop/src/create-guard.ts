import { checkEvent } from "./checks/check-event.ts";
import { checkOptions } from "./checks/check-options.ts";
import type { FleetView } from "./core/fleet-view.ts";
import { type CoreGuard, createCoreGuard } from "./core/guard.ts";
import type { Platform } from "./core/identity/read-object.ts";
import type { JudgeFactory } from "./core/judge.ts";
import type { AskingOptions, CoreOptions } from "./core/options.ts";
import type { FleetMember } from "./fleet/fleet-member.ts";
import { type Guard, withCall } from "./guarded-call.ts";
import { platform } from "./platform.ts";
import { warnOnce } from "./warn-once.ts";

/** The options of a guard. All of them are optional. */
export interface GuardOptions extends CoreOptions {
  /** The worker's side of a fleet, from `doomloop/fleet`. */
  readonly fleet?: FleetMember | undefined;
}

/** Without an `onFault`, a guard warns by itself. */
export const WARNING_PLATFORM: Platform = { ...platform, warn: warnOnce };

/**
 * Creates a guard for one run. The default preset is `balanced`, which nudges first and stops last.
 *
 * Throws a `DoomloopError` for invalid options; nothing throws after that.
 */
export function createGuard(options: GuardOptions = {}): Guard {
  return withCall(createGuardOn(options, WARNING_PLATFORM));
}

/** Creates a guard that does not warn by itself, or does so in another way. It may ask questions, and another judge may decide. */
export function createGuardOn(options: GuardOptions & AskingOptions, own: Platform, judgeBy?: JudgeFactory): CoreGuard {
  checkOptions(options);
  const join = (onFault: (fault: unknown) => void): FleetView | undefined =>
    options.fleet && (options.fleet.evidence(options.fleet, onFault) as FleetView);
  return createCoreGuard(options, own, { judgeBy, checkEvent, join });
}

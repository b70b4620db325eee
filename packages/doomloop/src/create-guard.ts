import { type CoreGuard, createCoreGuard, type Guard } from "./core/guard.ts";
import type { Platform } from "./core/identity/platform.ts";
import type { CoreGuardOptions } from "./core/options.ts";
import { joinFleetOf } from "./fleet/fleet-evidence.ts";
import type { FleetMember } from "./fleet/fleet-member.ts";
import { platform } from "./platform.ts";
import { warnOnce } from "./warn-once.ts";

/** The options of a guard. All of them are optional. */
export interface GuardOptions extends CoreGuardOptions {
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
  return createGuardOn(WARNING_PLATFORM, options);
}

/** Creates a guard that does not warn by itself, or does so in another way. */
export function createGuardOn(own: Platform, options: GuardOptions): CoreGuard {
  return createCoreGuard(options, own, joinFleetOf(options));
}

import { checkOptions, requireFields } from "../checks/check-options.ts";
import type { CoreGuard } from "../core/guard.ts";
import type { Platform } from "../core/identity/read-object.ts";
import { type AskingOptions, resolveOptions } from "../core/options.ts";
import { createGuardOn, type GuardOptions } from "../create-guard.ts";
import { countJudge } from "./count-judge.ts";
import type { CountRules } from "./count-rules.ts";

/** What a file or a client of the service can say about a guard. */
export interface GuardConfig extends GuardOptions, AskingOptions {
  /** Plain counts instead of evidence: `{ repeats: 3, within: 20 }`. */
  readonly counts?: CountRules | undefined;
}

/** Creates the guard that a configuration describes. Throws a `DoomloopError` for an invalid one. */
export function createConfiguredGuard(config: GuardConfig, platform: Platform): CoreGuard {
  if (config?.counts === undefined) return createGuardOn(config, platform);
  const { counts, ...options } = config;
  return createGuardOn(options, platform, countJudge(counts));
}

/** Throws a `DoomloopError` for an invalid configuration. */
export function checkGuardConfig(config: unknown): asserts config is GuardConfig {
  const { counts, ...options } = requireFields("options", config);
  checkOptions(options);
  const resolved = resolveOptions(options);
  if (counts !== undefined) countJudge(counts as CountRules)(resolved);
}

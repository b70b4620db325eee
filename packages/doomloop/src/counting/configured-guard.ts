import { checkNames, checkOptions, GUARD_OPTIONS, requireFields } from "../checks/check-options.ts";
import { DoomloopError } from "../core/doomloop-error.ts";
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

/** Options that only code can set: functions, and the state of one run. */
const ONLY_IN_CODE = [
  "messages",
  "onDecision",
  "onFault",
  "fleet",
  "snapshot",
] as const satisfies (keyof GuardConfig)[];

/** A configuration that JSON can hold. */
export type JsonConfig = Omit<GuardConfig, (typeof ONLY_IN_CODE)[number]>;

/** The options that JSON can hold. */
export const JSON_OPTIONS: readonly string[] = Object.keys(GUARD_OPTIONS).filter(
  (name) => !(ONLY_IN_CODE as readonly string[]).includes(name),
);

/** Creates the guard that a configuration describes. Throws a `DoomloopError` for an invalid one. */
export function createConfiguredGuard(config: GuardConfig, platform: Platform): CoreGuard {
  if (config?.counts === undefined) return createGuardOn(config, platform);
  const { counts, ...options } = config;
  return createGuardOn(options, platform, countJudge(counts));
}

/** Throws a `DoomloopError` for an invalid configuration from JSON, and for options that JSON cannot hold. */
export function checkJsonConfig(config: unknown): asserts config is JsonConfig {
  const { counts, ...options } = requireFields("options", config);
  const inCode = ONLY_IN_CODE.find((name) => Object.hasOwn(options, name));
  if (inCode !== undefined) throw new DoomloopError("invalid-option", `${inCode}: only code can set it, not JSON`);
  checkNames("", Object.keys(options), JSON_OPTIONS);
  checkOptions(options);
  const resolved = resolveOptions(options);
  if (counts !== undefined) countJudge(counts as CountRules)(resolved);
}

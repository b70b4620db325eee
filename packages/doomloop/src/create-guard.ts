import { type CoreGuard, createCoreGuard } from "./core/guard.ts";
import type { Platform } from "./core/identity/platform.ts";
import type { JudgeFactory } from "./core/judge.ts";
import { type CoreOptions, resolveOptions } from "./core/options.ts";
import { countJudge } from "./counting/count-judge.ts";
import type { CountRules } from "./counting/count-rules.ts";

/** The options of a guard. All of them are optional. */
export interface GuardOptions extends CoreOptions {
  /**
   * Plain counts by rules of your own, instead of evidence: `{ repeats: 3, within: 20 }`. `levels`, `patienceMs` and our own `detectors` then
   * have no effect, and `ladder` lists the actions in their order: `["nudge", "nudge", "stop"]`.
   * @default undefined
   */
  readonly counts?: CountRules | undefined;
}

/** Creates a guard on a given platform, with the judge that the options ask for. Throws a `DoomloopError` for invalid options. */
export function createGuardOn(options: GuardOptions, platform: Platform): CoreGuard {
  return createCoreGuard(options, platform, judgeOf(options));
}

/** Throws a `DoomloopError` for invalid options. The rules of tools are only checked when a guard is created. */
export function checkGuardOptions(options: GuardOptions): void {
  const resolved = resolveOptions(options);
  judgeOf(options)?.(resolved);
}

/** The judge that counts, if there are rules for it. The options are foreign, and not checked yet. */
function judgeOf(options: GuardOptions | undefined): JudgeFactory | undefined {
  return options?.counts && countJudge(options.counts);
}

import type { GuardOptions } from "../../core/options.ts";
import { type Fit, fitOf, type Outcome } from "./compare-settings.ts";
import type { Mark } from "./marks.ts";

/**
 * Puts together the options that fit the marks: the preset that is right most often, and over it, for each detector, the
 * first change that makes it righter.
 *
 * Whoever fits must look at what comes of it: detectors stand in for each other.
 */
export function fitSetting(outcomes: readonly Outcome[], marks: readonly Mark[]): GuardOptions {
  const [now] = outcomes;
  const whole = outcomes.filter(({ setting }) => setting.kind === undefined);
  const base = best(whole, marks);
  // The changes were tried on what is in use: another preset stands for itself.
  if (base !== now) return base.setting.options;
  let options = now!.setting.options;
  for (const kind of new Set(outcomes.map(({ setting }) => setting.kind))) {
    if (kind === undefined) continue;
    const chosen = best([now!, ...outcomes.filter(({ setting }) => setting.kind === kind)], marks);
    if (chosen === now) continue;
    options = { ...options, detectors: { ...options.detectors, [kind]: chosen.setting.options.detectors?.[kind] } };
  }
  return options;
}

/** The first of those that fit best. */
function best(outcomes: readonly Outcome[], marks: readonly Mark[]): Outcome {
  return outcomes.reduce((one, other) => (isBetter(fitOf(other, marks), fitOf(one, marks)) ? other : one));
}

function isBetter(one: Fit, other: Fit): boolean {
  const [gain, before] = [one.right - one.wrong, other.right - other.wrong];
  return gain > before || (gain === before && one.wrong < other.wrong);
}

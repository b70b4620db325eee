import { compareOutcomes, type OutcomeDifference } from "../identity/outcome-profile.ts";
import type { OutcomeViews } from "./outcome-views.ts";

/**
 * How the outcomes of two steps differ, or that they are the same in substance. Undefined where they have nothing to do with each
 * other, and where one of them is too long ago.
 */
export function compareSteps(
  views: OutcomeViews,
  one: number,
  other: number,
  isFailing: boolean,
): OutcomeDifference | "same" | undefined {
  if (!views.beginAlike(one, other) || (isFailing && !views.endAlike(one, other))) return undefined;
  const first = views.outcomeOf(one);
  const second = views.outcomeOf(other);
  if (first === undefined || second === undefined) return undefined;
  const areWhole = first.isWhole && second.isWhole;
  if (areWhole && first.digest === second.digest) return "same";
  return compareOutcomes(first, second, areWhole);
}

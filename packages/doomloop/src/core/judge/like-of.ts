import type { Digest } from "../identity/digest.ts";
import { recentSteps } from "../memory/run-state.ts";
import { areSimilar } from "../memory/views.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Moment } from "./moment.ts";
import { add, occurrencesOf } from "./occurrences.ts";

/** Shorter answers may be the same because they are short: two blank pages are two pages. */
const TELLING = 200;
/** Commands less alike than this are not worth reading to find out whether they mean the same. */
const RESEMBLING = 0.3;

/**
 * The identity in substance under which a step is counted.
 *
 * A command is worth reading for it only if another call among the latest came to the very same, and that is something.
 */
export function likeOf(moment: Moment, outcome: Digest): Digest | undefined {
  const { state, step } = moment;
  if (!step.facts.isCommand) {
    const { like, blindLike } = factsOf(step);
    return step.length < TELLING ? (blindLike ?? like) : like;
  }
  if (step.failure !== undefined || step.isEmpty) return undefined;
  const other = recentSteps(state).find((recent) => recent.outcome === outcome && recent.call !== step.call);
  if (other === undefined || (step.length < TELLING && !areSimilar(step, other, RESEMBLING))) return undefined;
  const { like } = factsOf(step);
  if (like === undefined || factsOf(other).like !== like) return undefined;
  if (!state.byLike.has(like)) add(occurrencesOf(state, like, "substance"), outcome, { ...moment, step: other });
  return like;
}

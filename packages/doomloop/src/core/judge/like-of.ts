import { argumentSimilarity } from "../identity/argument-sketch.ts";
import type { Digest } from "../identity/digest.ts";
import { isEmptyOutcome, type Outcome } from "../identity/outcome.ts";
import type { OpenCall } from "../memory/open-calls.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Moment } from "./known-outcome.ts";

/** Shorter answers may be the same because they are short: two blank pages are two pages. */
const TELLING = 200;
/** Commands less alike than this are not worth reading to find out whether they mean the same. */
const RESEMBLING = 0.3;

/**
 * The identity in substance under which a step is counted.
 *
 * A command is worth reading for it only if another call among the latest came to the very same, and that is something.
 */
export function likeOf(
  state: RunState,
  open: OpenCall,
  digest: Digest,
  moment: Moment,
  outcome: Outcome,
): Digest | undefined {
  const { facts } = open;
  if (!facts.isCommand) return outcome.length < TELLING && facts.blindLike !== undefined ? facts.blindLike : facts.like;
  if (moment.isFailing || isEmptyOutcome(outcome)) return undefined;
  const other = state.recent.find((recent) => recent.outcome === digest && recent.call !== open.call);
  if (other === undefined || ((moment.length ?? 0) < TELLING && !resembles(state, open.index, other.index)))
    return undefined;
  if (facts.like === undefined || other.facts.like !== facts.like) return undefined;
  if (!state.likes.has(facts.like)) {
    const earlier: Moment = { ...moment, index: other.index, round: other.round, length: other.length };
    state.likes.add(facts.like, digest, earlier);
  }
  return facts.like;
}

function resembles(state: RunState, one: number, other: number): boolean {
  const sketch = state.views.argumentsOf(one);
  const second = state.views.argumentsOf(other);
  return sketch !== undefined && second !== undefined && argumentSimilarity(sketch, second) >= RESEMBLING;
}

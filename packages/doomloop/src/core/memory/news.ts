import { pushLatest, setRecent } from "../collections/bounded.ts";
import type { Digest } from "../identity/digest.ts";
import type { Step } from "../step.ts";
import { isLikeEarlier } from "./views.ts";

/**
 * Where the run learned something: a step that came back with what no step before it had come back with.
 *
 * A step whose outcome is new to its own call may still bring nothing new to the run: "ok" and "Clicked" are the answers of
 * many calls. Equality is asked at once, likeness (the same but for a clock) when a repeat depends on it.
 */
export interface News {
  readonly seen: Map<Digest, true>;
  /** Steps that may be news. */
  candidates: Candidate[];
}

interface Candidate {
  readonly index: number;
  readonly round: number;
}

/** Outcomes that are known by equality. */
const MAX_SEEN = 96;
/** As far back as outcomes can be compared. */
const MAX_CANDIDATES = 24;

export function createNews(): News {
  return { seen: new Map(), candidates: [] };
}

/** Notes a step that succeeded with an answer which its own call did not have before. */
export function noteNews(news: News, { index, round }: Candidate, outcome: Digest): void {
  const isNew = !news.seen.has(outcome);
  setRecent(news.seen, outcome, true, MAX_SEEN);
  if (isNew) pushLatest(news.candidates, { index, round }, MAX_CANDIDATES);
}

/** Whether a step of a later round brought news. `steps` are the latest, for comparison. */
export function hasNewsSince({ candidates }: News, round: number, steps: readonly Step[]): boolean {
  for (let at = candidates.length - 1; at >= 0; at--) {
    const { index, round: own } = candidates[at]!;
    if (own <= round) continue;
    const step = steps.find((each) => each.index === index);
    if (step === undefined || !isLikeEarlier(step, steps, "others' words")) return true;
  }
  return false;
}

import { callAndResult, endsInLaps, holdsAt, type Identity, range } from "./holds-at.ts";
import type { RecordedStep } from "./recorded-step.ts";

const toolAndResult: Identity = ({ tool, outcome }) => (outcome === undefined ? undefined : `${tool}\n${outcome}`);

/**
 * stella, since the user last spoke: a call three times in a row with the same result, two to four calls in turn three
 * times, one tool six times in a row with one result, or a call three times with others between, unless some repeated
 * call was answered differently.
 */
export const stella = holdsAt(
  (steps, at) =>
    range(1, 4).some((period) =>
      endsInLaps(steps, at, { period, laps: 3, identity: callAndResult, isOneTurn: true }),
    ) ||
    endsInLaps(steps, at, { period: 1, laps: 6, identity: toolAndResult, isOneTurn: true }) ||
    isInterleaved(steps, at),
);

function isInterleaved(steps: readonly RecordedStep[], at: number): boolean {
  const { key, outcome, turn } = steps[at]!;
  if (outcome === undefined) return false;
  const answers = new Map<string, string>();
  let count = 0;
  for (let place = at; place >= 0 && steps[place]!.turn === turn; place--) {
    const earlier = steps[place]!;
    if (earlier.outcome === undefined) continue;
    const known = answers.get(earlier.key);
    if (known !== undefined && known !== earlier.outcome) return false;
    answers.set(earlier.key, earlier.outcome);
    if (earlier.key === key) count++;
  }
  return count >= 3;
}

import { callAndResult, endsInLaps, holdsAt, range } from "./holds-at.ts";
import type { RecordedStep } from "./recorded-step.ts";

const LOOKING = /(?:^|_)(?:read|search|list|get|find|view|open|goto|lookup|query)(?:_|$)/;
const POLLING = /(?:_get_result|_poll)$/;
/** Tools whose failures with other arguments are not counted. */
const FAILURE_TOLERANT = /terminal|bash|shell|code|python|browser/;

/**
 * hermes: the same call failing twice, a tool failing three times, a look with the same result twice, a call with the
 * same result three times in a row, two to four calls in turn three times. A change that succeeded starts failures anew.
 */
export const hermes = holdsAt((steps, at) => {
  const step = steps[at]!;
  if (POLLING.test(step.tool)) return false;
  return (
    (step.isError === true && isFailingAgain(steps, at)) ||
    (isLook(step) && endsInLaps(steps, at, { period: 1, laps: 2, identity: callAndResult })) ||
    range(1, 4).some((period) => endsInLaps(steps, at, { period, laps: 3, identity: callAndResult, isOneTurn: true }))
  );
});

function isLook({ tool }: RecordedStep): boolean {
  return LOOKING.test(tool);
}

function isFailingAgain(steps: readonly RecordedStep[], at: number): boolean {
  const { tool, key, turn } = steps[at]!;
  let ofCall = 0;
  let ofTool = 0;
  for (let place = at; place >= 0 && steps[place]!.turn === turn; place--) {
    const earlier = steps[place]!;
    if (earlier.isError !== true) {
      if (earlier.tool === tool || !isLook(earlier)) break;
      continue;
    }
    if (earlier.key === key) ofCall++;
    if (earlier.tool === tool) ofTool++;
  }
  return ofCall >= 2 || (ofTool >= 3 && !FAILURE_TOLERANT.test(tool));
}

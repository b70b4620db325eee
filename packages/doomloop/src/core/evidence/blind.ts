import { likeness } from "../identity/stems.ts";
import { type RunState, recentSteps } from "../memory/run-state.ts";
import type { Step } from "../memory/step.ts";
import { ATTEMPT, FAILURE, NEARLY, SUBSTANCE } from "./numbers.ts";
import { reaches, rowSighting, type Sighting, type TopicKind } from "./sighting.ts";

/** Calls without any result after which a run is taken for one that shows none. */
const BLIND_AFTER = 8;
const LAPS = 3;
const LONGEST_LAP = 5;
const MOVES_ALONG = /scroll|press|next|down/i;

/** In a run that shows no results, calls alone are judged, and more of them are needed. */
export function blindly(run: RunState, step: Step, least: number): Sighting | undefined {
  if (step.index < BLIND_AFTER - 1) return undefined;
  const since = recentSteps(run);
  const seen = (kind: TopicKind, row: readonly Step[]): Sighting =>
    rowSighting(run, row, {
      kind,
      name: `blind ${kind} ${step.tool}`,
      step,
      count: row.length,
      evidence: row.length - 1,
    });
  const isMoving = MOVES_ALONG.test(step.tool);
  const equal = since.filter(({ key }) => key === step.key);
  // Equal calls of one answer are one repeat.
  const rounds = new Set(equal.map(({ round }) => round)).size;
  if (reaches((rounds - 1) * (isMoving ? FAILURE : SUBSTANCE), least)) return seen("repeated-call", equal);
  const from =
    since.findLastIndex((other) => other.tool !== step.tool || likeness(other.stems, step.stems) < NEARLY) + 1;
  const row = since.slice(from);
  if (!isMoving && step.effect === "move" && (row.length - 1) * ATTEMPT >= least) return seen("similar-call", row);
  const period = lapOf(since);
  return period === undefined ? undefined : seen("call-cycle", since.slice(-LAPS * period));
}

function lapOf(steps: readonly Step[]): number | undefined {
  for (let period = 2; period <= LONGEST_LAP && steps.length >= LAPS * period; period++) {
    const laps = steps.slice(-LAPS * period);
    const isLap = laps.every((each, at) => at < period || each.key === laps[at - period]!.key);
    if (isLap && new Set(laps.map(({ key }) => key)).size > 1) return period;
  }
  return undefined;
}

import { type RunState, topicOf } from "../memory/run-state.ts";
import type { Step } from "../memory/step.ts";
import { likeness } from "../outcome/stems.ts";
import { ATTEMPT, FAILURE, NEARLY, SUBSTANCE } from "./numbers.ts";
import { reaches, type Sighting, shownSteps, type TopicKind } from "./sighting.ts";

/** Calls without any result after which a run is taken for one that shows none. */
const BLIND_AFTER = 8;
const LAPS = 3;
const LONGEST_LAP = 5;
const MOVES_ALONG = /scroll|press|next|down/i;

/** In a run that shows no results, calls alone are judged, and more of them are needed. */
export function blindly(run: RunState, step: Step, least: number): Sighting | undefined {
  const since = run.steps.filter(({ index }) => index >= run.from);
  if (step.index < BLIND_AFTER - 1) return undefined;
  const isMoving = MOVES_ALONG.test(step.tool);
  const equal = since.filter(({ key }) => key === step.key);
  // Equal calls of one answer are one repeat.
  const rounds = new Set(equal.map(({ round }) => round)).size;
  if (reaches((rounds - 1) * (isMoving ? FAILURE : SUBSTANCE), least))
    return sighting(run, step, "repeated-call", equal);
  const from =
    since.findLastIndex((other) => other.tool !== step.tool || likeness(other.stems, step.stems) < NEARLY) + 1;
  const row = since.slice(from);
  if (!isMoving && step.effect === "move" && (row.length - 1) * ATTEMPT >= least)
    return sighting(run, step, "similar-call", row);
  const period = lapOf(since);
  return period === undefined ? undefined : sighting(run, step, "call-cycle", since.slice(-LAPS * period));
}

function lapOf(steps: readonly Step[]): number | undefined {
  for (let period = 2; period <= LONGEST_LAP && steps.length >= LAPS * period; period++) {
    const laps = steps.slice(-LAPS * period);
    const isLap = laps.every((each, at) => at < period || each.key === laps[at - period]!.key);
    if (isLap && new Set(laps.map(({ key }) => key)).size > 1) return period;
  }
  return undefined;
}

/** What a topic that nobody sees the outcomes of shows. */
function sighting(run: RunState, step: Step, kind: TopicKind, shown: readonly Step[]): Sighting {
  const name = `blind ${kind} ${step.tool}`;
  const steps = shownSteps(shown);
  const topic = topicOf(run, name);
  return {
    kind,
    name,
    topic,
    step,
    count: shown.length,
    steps,
    evidence: shown.length - 1,
    isClear: false,
    isSure: false,
  };
}

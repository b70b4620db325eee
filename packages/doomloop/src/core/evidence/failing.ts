import { setRecent } from "../collections/bounded.ts";
import { type RunState, recentSteps, roundsOf, topicOf } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { isList } from "./list.ts";
import { FAILED_CHECK, FAILURE } from "./numbers.ts";
import { reaches, rowSighting, type Sighting, withStep } from "./sighting.ts";

/** Calls that have failed, of which it is remembered when they passed. */
const MAX_PASSED = 64;

/** One tool that fails again and again in its own ways. */
export function failures(run: RunState, step: Step, least: number): Sighting | undefined {
  if (!isFailing(step) || step.isExcused) return undefined;
  const row: Step[] = [];
  const steps = recentSteps(run);
  for (let at = steps.length - 1; at >= 0; at--) {
    const other = steps[at]!;
    if (other.tool !== step.tool || other.isExcused) continue;
    if (!isFailing(other)) break;
    // What only reads like a failure and says something else each time is a record, not a failure.
    if (other.failure?.isTold === true || other.isNo || !other.isFirst) row.unshift(other);
  }
  const since = row.filter(({ index }) => index > run.changedAt);
  const evidence = (roundsOf(since) - 1) * FAILURE;
  if (!reaches(evidence, least) || isList(row, step)) return undefined;
  const name = `failure-streak ${step.tool}`;
  return rowSighting(run, row, { kind: "failure-streak", name, step, count: roundsOf(row), evidence });
}

/** One check that fails as before in spite of changes. */
export function failedCheck(run: RunState, step: Step, least: number): Sighting | undefined {
  if (!isFailing(step)) {
    if (run.passed.has(step.key)) run.passed.set(step.key, step.index);
    return undefined;
  }
  if (step.isExcused) return undefined;
  const name = `test-fix ${step.key}${step.failure?.line ?? step.value}${step.failure?.files ?? 0}`;
  const topic = topicOf(run, name);
  if (!run.passed.has(step.key)) setRecent(run.passed, step.key, -1, MAX_PASSED);
  if (topic.turn !== run.turn || (run.passed.get(step.key) ?? -1) > topic.index)
    Object.assign(topic, { count: 0, evidence: 0, turn: run.turn, steps: [] });
  topic.index = step.index;
  if (topic.round !== step.round) {
    // Something in it may be getting better.
    if (topic.count++ > 0) topic.evidence += step.isFirst ? FAILED_CHECK / 2 : FAILED_CHECK;
    topic.round = step.round;
    topic.steps = withStep(topic, step.index);
  }
  const { count, steps, evidence } = topic;
  if (!reaches(evidence, least)) return undefined;
  const isClear = step.failure?.isBusy !== true && !step.isFirst;
  return { kind: "test-fix", name, topic, step, count, steps, evidence, isClear, isSure: false };
}

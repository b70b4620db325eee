import type { OutcomeLikeness, RunFinding } from "../finding.ts";
import { loopIdentity } from "../identity/digest.ts";
import { type RunState, recentSteps } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { failingTests } from "../outcome/answer-says.ts";
import { LONG_ANSWER } from "./numbers.ts";
import type { Sighting, TopicKind } from "./sighting.ts";

/** How surely each kind is a loop, as measured on recorded runs. */
const CONFIDENCE: Readonly<Record<TopicKind, number>> = {
  "repeated-call": 0.98,
  "call-cycle": 0.95,
  "similar-call": 0.85,
  "same-outcome": 0.9,
  stalled: 0.85,
  "test-fix": 0.85,
  "failure-streak": 0.85,
};
/** Outcomes that nobody sees, or that are equal only once masked, make it less sure. */
const LESS: Readonly<Record<OutcomeLikeness, number>> = { exact: 0, masked: 0.03, blind: 0.13 };
/** The longest lap that is recognised. */
const LONGEST_LAP = 12;

/** A topic at the level of words as a finding: facts, no words. */
export function findingOf(run: RunState, sighting: Sighting, text: string): RunFinding {
  const { kind, step, steps, count, evidence } = sighting;
  const lap = kind === "repeated-call" || kind === "call-cycle" ? lapOf(run, step) : undefined;
  if (lap !== undefined) return cycleOf(run, sighting, lap);
  const outcome = likenessOf(sighting);
  const facts = {
    loop: loopIdentity(kind, aboutOf(sighting)),
    steps: inOrder(steps),
    count,
    weight: Math.round(100 * evidence) / 100,
    confidence: CONFIDENCE[kind] - LESS[outcome],
    tools: [step.tool],
  };
  const isFail = isFailing(step);
  switch (kind) {
    case "similar-call":
      return { kind, ...facts, evidence: { outcome, isFailing: isFail } };
    case "same-outcome":
      return { kind, ...facts, evidence: { isFailing: isFail } };
    case "stalled":
      return { kind, ...facts, evidence: { isEmpty: step.isNothing } };
    case "test-fix":
      return { kind, ...facts, evidence: { failing: failingTests(text) } };
    case "failure-streak": {
      const shown = run.steps.filter(({ index }) => steps.includes(index));
      const isFileWork = 2 * shown.filter((each) => each.isFileWork && each.isCommand).length > shown.length;
      return { kind, ...facts, evidence: { isFileWork } };
    }
    default:
      return { ...facts, ...repeatedCallOf(sighting, outcome) };
  }
}

function repeatedCallOf({ name, topic, step }: Sighting, outcome: OutcomeLikeness) {
  const isFail = isFailing(step);
  const isDone = !isFail && !step.isCommand && (step.effect === "say" || (step.effect === "write" && step.brings));
  const isStep = step.effect === "move" || (step.effect === "act" && step.length < LONG_ANSWER);
  return {
    kind: "repeated-call" as const,
    evidence: {
      outcome,
      isFuzzy: name.startsWith("~"),
      isWaiting: outcome !== "blind" && 2 * topic.looks >= topic.count,
      isFailing: isFail,
      ...(outcome !== "blind" && isDone && { isDone: true as const }),
      ...(isStep && { isStep: true as const }),
      isBusy: step.failure?.isBusy === true,
      uncounted: topic.passed,
    },
  };
}

/** Results of one round may come in any order. */
function inOrder(steps: readonly number[]): readonly number[] {
  return [...new Set(steps)].sort((one, other) => one - other);
}

function likenessOf({ step, topic }: Sighting): OutcomeLikeness {
  if (!step.isSeen) return "blind";
  return topic.isExact ? "exact" : "masked";
}

/** What tells one loop of a kind from another. */
function aboutOf({ kind, name, step }: Sighting): string {
  if (kind === "repeated-call" || kind === "call-cycle") return name.startsWith("~") ? step.substance! : step.key;
  return name;
}

/** The steps of the latest lap, if the same calls come round in turn; undefined if one call is repeated. */
function lapOf(run: RunState, step: Step): readonly Step[] | undefined {
  const recent = recentSteps(run);
  const at = recent.findLastIndex(({ index }) => index === step.index);
  const before = recent.findLastIndex(({ key, index }) => key === step.key && index < step.index);
  const period = at - before;
  if (at < 0 || before < 0 || period < 2 || period > LONGEST_LAP || recent[at]!.round === recent[before]!.round)
    return undefined;
  const lap = recent.slice(before + 1, at + 1);
  const isTurn = lap.every((each, place) => {
    const earlier = recent[before + 1 - period + place];
    return earlier !== undefined && earlier.key === each.key;
  });
  return isTurn ? lap : undefined;
}

function cycleOf(run: RunState, sighting: Sighting, lap: readonly Step[]): RunFinding {
  const recent = recentSteps(run);
  const period = lap.length;
  let laps = 1;
  const end = recent.findLastIndex(({ index }) => index === sighting.step.index);
  while (lap.every((each, at) => recent[end - (laps + 1) * period + 1 + at]?.key === each.key)) laps++;
  const shown = recent.slice(Math.max(0, end + 1 - laps * period), end + 1);
  const outcome = likenessOf(sighting);
  const keys = lap.map(({ key }) => key);
  const first = keys.indexOf([...keys].sort()[0]!);
  const sequence = [...lap.slice(first), ...lap.slice(0, first)];
  return {
    kind: "call-cycle",
    loop: loopIdentity("call-cycle", ...sequence.map(({ key }) => key)),
    steps: inOrder(shown.map(({ index }) => index)),
    count: Math.max(laps, sighting.count),
    weight: Math.round(100 * sighting.evidence) / 100,
    confidence: CONFIDENCE["call-cycle"] - LESS[outcome],
    tools: [...new Set(lap.map(({ tool }) => tool))].slice(0, 8),
    period,
    evidence: { outcome, isWaiting: 2 * sighting.topic.looks >= sighting.count, sequence: lap.map(({ tool }) => tool) },
  };
}

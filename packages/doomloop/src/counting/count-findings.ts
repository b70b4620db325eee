import type { CallCycleFinding, FailureStreakFinding, RepeatedCallFinding, TestFixFinding } from "../core/finding.ts";
import { failingTests } from "../core/hints/results.ts";
import { type Digest, loopIdentity } from "../core/identity/digest.ts";
import type { Judged } from "../core/judged.ts";
import { isVain } from "../core/step.ts";
import type { CountedCall, CountMemory, Streak } from "./count-memory.ts";
import type { ResolvedCounts } from "./count-rules.ts";

/** How surely a count is a loop; more surely if outcomes were compared. */
const CONFIDENCE = 0.85;
const COMPARED = 0.95;
/** A cycle is less sure than a repeated call. */
const CYCLE = 0.05;
const MAX_SHOWN = 32;
const MAX_TOOLS = 8;

/** Calls that are equal or similar, as far as they are remembered, and how many there were. */
export interface Counted {
  readonly calls: readonly CountedCall[];
  readonly count: number;
}

/** A call that was repeated as often as the rules say. `isFuzzy`: similar calls are counted, too. */
export function repeatedCall(
  { step, text }: Judged,
  { calls, count }: Counted,
  about: Digest,
  isFuzzy: boolean,
): RepeatedCallFinding {
  const { tool } = step;
  const isSeen = text !== undefined;
  const plain = { isWaiting: false, isBusy: false };
  return {
    kind: "repeated-call",
    loop: loopIdentity("repeated-call", about),
    ...factsOf(indicesOf(calls), count, [tool]),
    confidence: isSeen ? COMPARED : CONFIDENCE,
    evidence: { ...plain, outcome: isSeen ? "exact" : "blind", isFuzzy, isFailing: isSeen && isVain(step) },
  };
}

/** The length of the lap that the calls go round in as often as the rules say; undefined if they do not. */
export function lapLength({ inTurn }: CountMemory, { cycles }: ResolvedCounts): number | undefined {
  if (cycles === undefined) return undefined;
  const { shortest, longest, laps } = cycles;
  for (let period = shortest; period <= longest; period++)
    if ((inTurn[period] ?? 0) >= period * (laps - 1) && !isMadeOfShorter(inTurn, period)) return period;
  return undefined;
}

/** Whether a lap is itself some laps of a shorter one: four equal calls are no cycle of two. */
function isMadeOfShorter(inTurn: readonly number[], period: number): boolean {
  for (let part = 1; part <= period / 2; part++)
    if (period % part === 0 && (inTurn[part] ?? 0) >= period - part) return true;
  return false;
}

/** The same calls in turn. */
export function callCycle({ text }: Judged, { calls, inTurn }: CountMemory, period: number): CallCycleFinding {
  const isSeen = text !== undefined;
  const lap = calls.slice(-period);
  const keys = lap.map(({ key }) => key);
  // The same loop, whichever of its calls it is seen at.
  const first = keys.indexOf([...keys].sort()[0]!);
  const count = Math.floor(inTurn[period]! / period) + 1;
  const tools = lap.map(({ tool }) => tool);
  return {
    kind: "call-cycle",
    loop: loopIdentity("call-cycle", ...keys.slice(first), ...keys.slice(0, first)),
    ...factsOf(indicesOf(calls.slice(-count * period)), count, [...new Set(tools)]),
    confidence: (isSeen ? COMPARED : CONFIDENCE) - CYCLE,
    period,
    evidence: { outcome: isSeen ? "exact" : "blind", isWaiting: false, sequence: tools },
  };
}

/** Test runs that failed one after another. */
export function failedTests({ step: { tool }, text = "" }: Judged, { count, steps }: Streak): TestFixFinding {
  const facts = factsOf(steps, count, [tool]);
  return { kind: "test-fix", loop: loopIdentity("test-fix"), ...facts, evidence: { failing: failingTests(text) } };
}

/** Commands that failed one after another. */
export function failedCommands({ step: { tool } }: Judged, { count, steps, onFiles }: Streak): FailureStreakFinding {
  const facts = factsOf(steps, count, [tool]);
  const evidence = { isFileWork: 2 * onFiles > count };
  return { kind: "failure-streak", loop: loopIdentity("failure-streak", tool), ...facts, evidence };
}

function factsOf(steps: readonly number[], count: number, tools: readonly string[]) {
  const shown = steps.slice(-MAX_SHOWN);
  return { steps: shown, count, weight: count, confidence: CONFIDENCE, tools: tools.slice(0, MAX_TOOLS) };
}

function indicesOf(calls: readonly CountedCall[]): readonly number[] {
  return calls.map(({ index }) => index);
}

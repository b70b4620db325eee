import type { Seen } from "./detectors/index.ts";
import type { OutcomeLikeness, RunFinding } from "./finding.ts";
import { failingTests } from "./hints/results.ts";
import { loopIdentity } from "./identity/digest.ts";
import type { Judged } from "./judged.ts";
import { SHORT } from "./numbers.ts";
import { type Call, isVain, type Step } from "./step.ts";

/** How surely each kind is a loop, as measured on recorded runs. */
const CONFIDENCE: Readonly<Record<Seen["kind"], number>> = {
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
const MAX_TOOLS = 8;

/** What was seen in a step as a finding: facts, no words. `recent`: the latest steps, this one included. */
export function findingOf(recent: readonly Step[], seen: Seen, judged: Judged): RunFinding {
  const { kind, count, evidence } = seen;
  const { step, open, text } = judged;
  const lap = isOneCall(seen) ? lapOf(recent) : undefined;
  if (lap !== undefined) return cycleOf(recent, seen, judged, lap);
  const outcome = likenessOf(judged);
  const facts = {
    loop: isOneCall(seen) ? repeatIdentity(step) : loopIdentity(kind, String(kind === "test-fix" ? step.call : seen.about)),
    steps: inOrder(seen.steps),
    count,
    weight: rounded(evidence),
    confidence: CONFIDENCE[kind] - LESS[outcome],
    tools: [step.tool],
  };
  const isFailing = isVain(step);
  switch (kind) {
    case "similar-call":
      return { kind, ...facts, evidence: { outcome, isFailing } };
    case "same-outcome":
      return { kind, ...facts, evidence: { isFailing } };
    case "stalled":
      return { kind, ...facts, evidence: { isEmpty: step.outcome === "empty" } };
    case "test-fix":
      return { kind, ...facts, evidence: { failing: failingTests(text ?? "") } };
    case "failure-streak":
      return { kind, ...facts, evidence: { isFileWork: open.isCommand && worksOnFiles(recent, seen) } };
    default:
      return { kind: "repeated-call", ...facts, evidence: repeatedCall(seen, judged) };
  }
}

/** The identity of the loop that a call is when it is repeated. */
export function repeatIdentity({ call, subject }: Pick<Call, "call" | "subject">): string {
  return loopIdentity("repeated-call", String(subject || call));
}

/** Calls that come in no order are shown as repeats of the latest one. */
function isOneCall({ kind }: Seen): boolean {
  return kind === "repeated-call" || kind === "call-cycle";
}

function repeatedCall(seen: Seen, judged: Judged) {
  const { step, open } = judged;
  const { effect, length } = step;
  const outcome = likenessOf(judged);
  const isFailing = isVain(step);
  const isDone = !isFailing && !open.isCommand && (effect === "say" || effect === "write") && outcome !== "blind";
  const isStep = effect === "move" || (effect === "act" && length < SHORT);
  return {
    outcome,
    isFuzzy: seen.isOtherForm === true,
    isWaiting: outcome !== "blind" && isWait(seen),
    isFailing,
    ...(isDone && { isDone: true as const }),
    ...(isStep && { isStep: true as const }),
    isBusy: step.failure?.isTransient === true,
  };
}

function isWait({ checks = 0, count }: Seen): boolean {
  return 2 * checks >= count;
}

function worksOnFiles(recent: readonly Step[], { steps }: Seen): boolean {
  const shown = recent.filter(({ index }) => steps.includes(index));
  return 2 * shown.filter(({ effect }) => effect === "look" || effect === "write").length > shown.length;
}

/** Results of one round may come in any order. */
function inOrder(steps: readonly number[]): readonly number[] {
  return [...new Set(steps)].sort((one, other) => one - other);
}

function likenessOf({ step, isExact }: Judged): OutcomeLikeness {
  if (step.outcome === "unseen") return "blind";
  return isExact ? "exact" : "masked";
}

/** The steps of the latest lap, if the same calls come round in turn; undefined if one call is repeated. */
function lapOf(recent: readonly Step[]): readonly Step[] | undefined {
  const at = recent.length - 1;
  const { turn, round } = recent[at]!;
  const before = recent.findLastIndex((step, place) => place < at && step.turn === turn);
  const period = at - before;
  if (before < 0 || period < 2 || period > LONGEST_LAP || recent[before]!.round === round) return undefined;
  const lap = recent.slice(before + 1);
  return lap.every((step, place) => recent[before + 1 - period + place]?.turn === step.turn) ? lap : undefined;
}

function cycleOf(recent: readonly Step[], seen: Seen, judged: Judged, lap: readonly Step[]): RunFinding {
  const period = lap.length;
  let laps = 1;
  const lapAt = (back: number): readonly Step[] => recent.slice(-back * period, recent.length - (back - 1) * period);
  while (recent.length >= (laps + 1) * period && lapAt(laps + 1).every(({ turn }, at) => turn === lap[at]!.turn)) laps++;
  const outcome = likenessOf(judged);
  const turns = lap.map(({ turn }) => String(turn));
  const first = turns.indexOf([...turns].sort()[0]!);
  return {
    kind: "call-cycle",
    loop: loopIdentity("call-cycle", ...turns.slice(first), ...turns.slice(0, first)),
    steps: inOrder(recent.slice(-laps * period).map(({ index }) => index)),
    count: Math.max(laps, seen.count),
    weight: rounded(seen.evidence),
    confidence: CONFIDENCE["call-cycle"] - LESS[outcome],
    tools: [...new Set(lap.map(({ tool }) => tool))].slice(0, MAX_TOOLS),
    period,
    evidence: { outcome, isWaiting: isWait(seen), sequence: lap.map(({ tool }) => tool) },
  };
}

function rounded(evidence: number): number {
  return Math.round(100 * evidence) / 100;
}

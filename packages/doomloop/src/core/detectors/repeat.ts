import { idOf } from "../hash.ts";
import { type Memory, type Topic, topicOf } from "../memory.ts";
import { MOST_CHECKS, OTHER_FORM, PENDING, SHORT } from "../numbers.ts";
import { isAct, isVain, type Step } from "../step.ts";
import { worthOfCheck } from "../worth.ts";
import type { Detector, Sighting } from "./detector.ts";

const EXACT = 1;
const OTHER = 2;
/** What is said in so many words is a record that it leaves behind. */
const RECORD = 5;

/** The same call with the same result, and nothing learned or changed in between. */
export const repeat: Detector<"repeated-call"> = {
  kind: "repeated-call",
  look(step, memory) {
    const exact = seen(step, memory, exactTopic(step), 1);
    if (step.subject === 0) return [exact];
    return [exact, seen(step, memory, idOf(OTHER, step.subject, step.result), OTHER_FORM)];
  },
  covers: (call, last) => call.call === last.call || (call.subject !== 0 && call.subject === last.subject),
};

/** The topic of a call with its result. */
export function addedBy(step: Step, memory: Memory): number {
  return seen(step, memory, exactTopic(step), 1).added ?? 0;
}

export function exactTopic({ call, result }: Step): number {
  return idOf(EXACT, call, result);
}

function seen(step: Step, memory: Memory, about: number, share: number): Sighting {
  const known = topicOf(memory, about);
  if (known === undefined || isAnotherAttempt(memory, known))
    return { about, evidence: 1, count: 1, steps: [step.index], isClear: false, isAfterAct: isAfterAct(memory) };
  // Equal calls of one model answer are one repeat.
  if (known.round === step.round) return { ...known, about, isClear: false };
  const count = known.count + 1;
  const steps = [...known.steps, step.index];
  const checks = known.checks + (step.waitedMs > 0 || step.outcome === "pending" ? 1 : 0);
  const waitedMs = known.waitedMs + step.waitedMs;
  const worth = count <= step.times ? 0 : share * worthOfRepeat(step, known, checks, waitedMs);
  const learned = memory.world.news - known.world.news;
  const evidence =
    learned === 0 || (isVain(step) && worth === 1) ? known.evidence + worth : Math.max(1, known.evidence - learned);
  const isClear =
    worth === 1 && (step.effect !== "say" || step.words.length >= RECORD) && (!isAct(step) || step.length > SHORT);
  return {
    about,
    evidence,
    count,
    steps,
    isClear,
    added: learned === 0 ? worth : 0,
    checks,
    waitedMs,
    isAfterAct: known.isAfterAct,
  };
}

/** A check that passes is worth looking at once more; from then on, green is an answer, too. */
function worthOfRepeat(step: Step, known: Topic, checks: number, waitedMs: number): number {
  if (step.effect === "test" && !isVain(step) && known.count === 1) return 0;
  // What an act sets off may take its time.
  if (
    known.isAfterAct &&
    (step.effect === "watch" || (step.effect === "look" && isVain(step))) &&
    step.length <= SHORT &&
    known.count < MOST_CHECKS
  )
    return Math.min(step.trust * PENDING, worthOfCheck(step, checks, waitedMs));
  return worthOfCheck(step, checks, waitedMs);
}

function isAfterAct({ recent }: Memory): boolean {
  const before = recent.at(-1);
  return (
    before !== undefined && !isVain(before) && (isAct(before) || before.effect === "write") && before.length <= SHORT
  );
}

function isAnotherAttempt({ world }: Memory, known: Topic): boolean {
  return known.world.turn !== world.turn || known.world.changes !== world.changes;
}

import { idOf } from "../hash.ts";
import { type Memory, type Topic, topicOf } from "../memory.ts";
import { MOST_CHECKS, OTHER_FORM, PENDING, SHORT } from "../numbers.ts";
import { isAct, isVain, type Step } from "../step.ts";
import { worthOfCheck } from "../worth.ts";
import type { Detector, Sighting } from "./detector.ts";

const EXACT = 1;
const OTHER = 2;
/** What is said in so many words is a record that it leaves behind. */
const RECORD = 8;

/** The same call with the same result, and nothing learned or changed in between. */
export const repeat: Detector<"repeated-call"> = {
  kind: "repeated-call",
  look(step, memory) {
    const exact = seen(step, memory, exactTopic(step), 1);
    if (step.subject === 0) return [exact];
    const other = seen(step, memory, idOf(OTHER, step.subject, step.result), OTHER_FORM);
    return [exact, { ...other, isOtherForm: true }];
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
  const { world } = memory;
  if (known === undefined || known.world.turn !== world.turn || known.world.changes !== world.changes || hasWorked(step, known, memory)) {
    const reason = known === undefined ? newReason(step, memory) : whyAnew(known, memory);
    return { about, evidence: 1, count: 1, steps: [step.index], isClear: false, isAfterAct: isAfterAct(memory), reason };
  }
  // Equal calls of one model answer are one repeat.
  if (known.round === step.round) return { ...known, about, isClear: false, reason: "same-round" };
  const count = known.count + 1;
  const checks = known.checks + (step.waitedMs > 0 || step.outcome === "pending" ? 1 : 0);
  const waitedMs = known.waitedMs + step.waitedMs;
  const learned = world.news - known.world.news;
  if (isAboutAnother(step, known, memory)) return { ...known, about, isClear: false, reason: "changed-world" };
  const isRecall = known.world.compactions !== world.compactions && !isVain(step);
  const worth = isRecall || count <= step.times ? 0 : share * worthOfRepeat(step, known, checks, waitedMs);
  const isCounted = learned === 0 || (isVain(step) && worth === 1);
  const added = learned === 0 ? worth : 0;
  return {
    about,
    // News in one lap adds nothing; news in every lap takes evidence back.
    evidence: isCounted ? known.evidence + worth : Math.max(1, known.evidence - (known.hasNews ? learned : 0)),
    hasNews: !isCounted,
    count,
    steps: [...known.steps, step.index],
    isClear: worth === 1 && isTelling(step),
    added,
    checks,
    waitedMs,
    isAfterAct: known.isAfterAct,
    reason: added > 0 ? undefined : isRecall ? "compaction" : count <= step.times ? "asked-for" : isCounted ? "waiting" : "news-in-lap",
  };
}

/** The call has failed, worked in between, and fails again. */
function hasWorked(step: Step, { steps }: Topic, { recent }: Memory): boolean {
  const last = steps.at(-1)!;
  return isVain(step) && recent.some((each) => each.call === step.call && each.index > last && !isVain(each));
}

/** An act of few words may be about what another call has just opened or selected: such a call was made for the first time. */
function isAboutAnother(step: Step, { steps }: Topic, { recent }: Memory): boolean {
  if (isVain(step) || step.length > SHORT || step.words.length >= RECORD || !(isAct(step) || step.effect === "write")) return false;
  const last = steps.at(-1)!;
  return recent.some((each) => each.index > last && each.isNewCall && !isVain(each));
}

function newReason(step: Step, { world, recent }: Memory): "user-spoke" | "new-outcome" | undefined {
  if (step.isNewCall) return undefined;
  return world.turn > 0 && !recent.some(({ call }) => call === step.call) ? "user-spoke" : "new-outcome";
}

function whyAnew(known: Topic, { world }: Memory): "user-spoke" | "changed-world" {
  return known.world.turn !== world.turn ? "user-spoke" : "changed-world";
}

/** Whether a plain repeat of this step is beyond doubt. What an act answers shows little, and the same few words may be meant twice. */
function isTelling(step: Step): boolean {
  if (isVain(step)) return true;
  return !isAct(step) && ((step.effect !== "say" && step.effect !== "write") || step.words.length >= RECORD);
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
  return before !== undefined && !isVain(before) && isAct(before) && before.length <= SHORT;
}

import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { areRewordings, variationOf } from "../identity/compare-arguments.ts";
import { isListOfItems } from "../judge/list-of-items.ts";
import { hasLearnedSince, type RunState, recentSteps, sinceChange } from "../memory/run-state.ts";
import { areSimilar, isLikeEarlier, mayResemble, wordsIn } from "../memory/views.ts";
import { factsOf } from "../progress/call-facts.ts";
import type { Step } from "../step.ts";
import type { Detector } from "./detector.ts";
import { loopIdentity } from "./loop-identity.ts";

/** One thing tried in many ways, and nothing came of any. */
export interface StalledFinding extends FindingFacts {
  readonly kind: "stalled";
  /** The attempts found nothing at all; otherwise only what had been seen before. */
  readonly evidence: { readonly isEmpty: boolean };
}

/** When attempts that bring nothing new are reported. */
export interface StalledOptions {
  /**
   * Attempts in different rounds that bring nothing new and make a finding.
   * @default 5
   */
  readonly threshold?: number;
}

/** Of the attempts, so many must differ: equal calls are another detector's. */
const DIFFERENT = 3;
/** Shorter answers are the same because they are short: yes, ok, 35. */
const TELLING = 16;

/**
 * Reports attempts in ever other words that come to nothing: no results, or only such as had been there.
 *
 * What varies must be recognised as one attempt: the same thing in other words or spellings. A list that is worked through item by item
 * is none, however little it yields.
 */
export function stalled(options: StalledOptions = {}): Detector<StalledFinding, "step"> {
  const { threshold = 5 } = options;
  requireInteger("stalled: threshold", threshold, 3, 20);

  return {
    kind: "stalled",
    on: "step",
    inspect({ step, blindness, isExcused, isTwin }, run) {
      if (blindness !== "none" || isExcused || isTwin) return;
      const told = inspectSeen(run, step, threshold) ?? inspectSaid(run, step, threshold);
      if (told !== undefined) return told;
      // In the order of what it costs to ask: a command is read last.
      if (!step.facts.isCommand && !mayStall(step)) return;
      if (!mayBeMany(run, step, threshold) || !mayStall(step)) return;
      const attempts = attemptsUpTo(run, step);
      const rounds = new Set(attempts.map(({ round }) => round)).size;
      if (rounds < threshold || new Set(attempts.map(({ call }) => call)).size < DIFFERENT) return;
      const variation = variationOf(attempts.map(wordsIn).filter((words) => words !== undefined));
      // Different questions, one answer to the letter: whoever answers is done with the matter.
      const isOneAnswer = !step.isNothing && attempts.every(({ outcome }) => outcome === step.outcome);
      const isOne = variation === "unrelated" && rounds > threshold && isOneAnswer;
      return isOne || variation === "guesses" || variation === "rewording" ? found(step, attempts) : undefined;
    },
  };
}

/** Pieces that an answer must have to be judged by them. */
const FEW_PIECES = 3;
/** One in so many may be new in an answer that brings nothing new: what it repeats of the question. */
const MOSTLY = 6;

/** Whether all that a step told, but for a little, had been told before. */
function isSeen({ pieces, fresh, failure }: Step): boolean {
  return failure === undefined && pieces >= FEW_PIECES && fresh * MOSTLY <= pieces;
}

/** Reads of one file, or questions in other words, that show only what was there before. */
function inspectSeen(run: RunState, step: Step, threshold: number): StalledFinding | undefined {
  if (!isSeen(step)) return;
  const attempts: Step[] = [];
  for (const earlier of recentSteps(run).toReversed()) {
    if (earlier.tool !== step.tool) {
      if (earlier.isSynthetic || earlier.isEmpty || earlier.failure !== undefined || isSeen(earlier)) continue;
      break;
    }
    if (earlier.failure !== undefined) break;
    attempts.push(earlier);
    if (!isSeen(earlier)) break;
  }
  if (roundsOf(attempts) < threshold || callsOf(attempts) < DIFFERENT) return;
  const same = sinceChange(run, attempts.reverse(), factsOf(step).reading.act);
  if (roundsOf(same) < threshold || callsOf(same) < DIFFERENT) return;
  if (!same.every((earlier) => isAboutTheSame(step, earlier))) return;
  return factsOf(step).reading.isFileRead || !isListOfItems(same) ? found(step, same) : undefined;
}

/** The same thing said, asked or written in ever other words, and nothing done in between. */
function inspectSaid(run: RunState, step: Step, threshold: number): StalledFinding | undefined {
  if (step.facts.isCommand || step.failure !== undefined || step.length > ANSWER) return;
  const { act, bringsText } = factsOf(step).reading;
  if (act !== "says" && act !== "asks" && !(act === "writes" && bringsText)) return;
  const attempts: Step[] = [];
  for (const earlier of recentSteps(run).toReversed()) {
    if (earlier.tool === step.tool && earlier.failure === undefined && earlier.length <= ANSWER) attempts.push(earlier);
    else if (!isBarren(earlier)) break;
  }
  attempts.reverse();
  const needed = act === "writes" ? threshold + 2 : threshold;
  if (roundsOf(attempts) < needed || callsOf(attempts) < DIFFERENT) return;
  const words = attempts.map(wordsIn).filter((own) => own !== undefined);
  return words.length === attempts.length && areRewordings(words) ? found(step, attempts) : undefined;
}

/** Brought nothing, and did nothing: what was said before it and after it follow each other. */
function isBarren(step: Step): boolean {
  return step.isSynthetic || step.isExcused || step.isEmpty || (!step.isNewCall && !step.isNews) || isSeen(step);
}

/** Longer answers are worth asking for. */
const ANSWER = 200;

/** A question in other words, or another part of the same file. */
function isAboutTheSame(step: Step, earlier: Step): boolean {
  const { reading, like } = factsOf(step);
  const { act, isPage } = factsOf(earlier).reading;
  if (isPage || (act !== "looks" && act !== "watches" && act !== "steps")) return false;
  if (reading.isFileRead) return factsOf(earlier).like === like;
  return !step.facts.isCommand || areSimilar(step, earlier, ALIKE);
}

/** How much alike commands must be that show the same. */
const ALIKE = 0.5;

function roundsOf(steps: readonly Step[]): number {
  return new Set(steps.map(({ round }) => round)).size;
}

function callsOf(steps: readonly Step[]): number {
  return new Set(steps.map(({ call }) => call)).size;
}

function found(step: Step, attempts: readonly Step[]): StalledFinding {
  return {
    kind: "stalled",
    loop: loopIdentity("stalled", step.tool),
    steps: attempts.map(({ index }) => index).sort((one, other) => one - other),
    count: roundsOf(attempts),
    confidence: 0.8,
    isCertain: false,
    tools: [step.tool],
    evidence: { isEmpty: attempts.every(({ isNothing }) => isNothing) },
  };
}

/** Silence of a call that acts means nothing. */
function mayStall(step: Step): boolean {
  if (step.failure !== undefined && !step.isNothing) return false;
  // A file is read in parts, and again after edits.
  const { act, isCode, isFileRead } = factsOf(step).reading;
  // Most statements print nothing, and most acts say no more than that they were done.
  if (step.isEmpty ? isCode || act === "steps" || act === "runs" : act === "steps" && step.isMute) return false;
  return act !== "writes" && act !== "says" && act !== "waits" && !isFileRead;
}

/** A look that costs little and rules most steps out: enough different calls have come to something that may be the same. */
function mayBeMany(run: RunState, step: Step, threshold: number): boolean {
  const steps = recentSteps(run);
  if (steps.length < threshold) return false;
  let count = 0;
  for (const earlier of steps) if (mayBeAttempt(step, earlier)) count++;
  if (count < threshold) return false;
  return new Set(steps.filter((earlier) => mayBeAttempt(step, earlier)).map(({ call }) => call)).size >= DIFFERENT;
}

function mayBeAttempt(step: Step, earlier: Step): boolean {
  return earlier.tool === step.tool && (earlier.isNothing ? step.isNothing : isLike(step, earlier));
}

/** Pages are long and alike: of those only equal ones count. */
function isLike(step: Step, earlier: Step): boolean {
  if (earlier.outcome === step.outcome) return true;
  const isPage = !step.facts.isCommand && factsOf(step).reading.isPage;
  return !isPage && mayResemble(step, earlier);
}

/** The latest attempts with this tool that brought nothing new, back to the first that did. */
function attemptsUpTo(run: RunState, step: Step): readonly Step[] {
  const attempts: Step[] = [];
  for (const earlier of recentSteps(run).toReversed()) {
    if (earlier.tool !== step.tool) {
      if (hasLearnedSince(run, earlier.round - 1)) break;
      continue;
    }
    // Many programs end with 1 to say that they found nothing.
    if (earlier.isNothing !== step.isNothing || (earlier.failure !== undefined && !earlier.isNothing)) break;
    if (!earlier.isNothing && earlier.length < TELLING) break;
    attempts.push(earlier);
    // The first that brought what all others brought again is an attempt, too.
    if (!earlier.isNothing && !isLikeEarlier(earlier, run.history, "all")) break;
  }
  return sinceChange(run, attempts.reverse(), factsOf(step).reading.act);
}

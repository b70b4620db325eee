import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { areRewordings, variationOf } from "../identity/compare-arguments.ts";
import { isListOfItems } from "../judge/streak.ts";
import { hasLearnedSince, type RunState, recentSteps, sinceChange } from "../memory/run-state.ts";
import { areSimilar, isLikeEarlier, mayResemble, wordsIn } from "../memory/views.ts";
import type { Step } from "../step.ts";
import { type Detector, loopIdentity } from "./detector.ts";
import {
  ALIKE_COMMANDS,
  CONFIRMING_LENGTH,
  MIN_DIFFERENT,
  MIN_PIECES,
  MORE_THAN_A_WORD,
  PIECES_PER_NEW_PIECE,
} from "./limits.ts";

/** One question reworded many times without new results. */
export interface StalledFinding extends FindingFacts {
  readonly kind: "stalled";
  /** The attempts found nothing at all. If false, they found only what had been seen before. */
  readonly evidence: { readonly isEmpty: boolean };
}

/** When attempts that bring nothing new are reported. */
export interface StalledOptions {
  /**
   * Attempts without a new result, in different rounds (model answers), that make a finding.
   * @default 5
   */
  readonly threshold?: number;
}

/**
 * Reports one question that is reworded many times without new results: with none, or with results that were there before.
 *
 * The calls must be attempts at one thing: the same in other words or spellings. An agent that works through a list item by item is left
 * alone, however little it finds.
 */
export function stalled(options: StalledOptions = {}): Detector<StalledFinding, "step"> {
  const { threshold = 5 } = options;
  requireInteger("stalled: threshold", threshold, 3, 20);

  return {
    kind: "stalled",
    on: "step",
    inspect({ step, blindness, isExcused, isSameRoundDuplicate }, run) {
      if (blindness !== "none" || isExcused || isSameRoundDuplicate) return;
      const told = inspectSeen(run, step, threshold) ?? inspectSaid(run, step, threshold);
      if (told !== undefined) return told;
      if (!mayStall(step) || !mayBeMany(run, step, threshold)) return;
      const attempts = attemptsUpTo(run, step);
      const rounds = roundsOf(attempts);
      if (rounds < threshold || callsOf(attempts) < MIN_DIFFERENT) return;
      const variation = variationOf(attempts.map(wordsIn).filter((words) => words !== undefined));
      // Different questions get exactly one answer: there is nothing more to learn from this tool.
      const isOneAnswer = !step.isNothing && attempts.every(({ outcome }) => outcome === step.outcome);
      const isOne = variation === "unrelated" && rounds > threshold && isOneAnswer;
      return isOne || variation === "guesses" || variation === "rewording" ? found(step, attempts) : undefined;
    },
  };
}

/** Whether nearly all that a step told had been told before. */
function isSeen({ pieces, fresh, failure }: Step): boolean {
  return failure === undefined && pieces >= MIN_PIECES && fresh * PIECES_PER_NEW_PIECE <= pieces;
}

/** Finds reads of one file, or questions in other words, that show only what was there before. */
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
  if (roundsOf(attempts) < threshold || callsOf(attempts) < MIN_DIFFERENT) return;
  const same = sinceChange(run, attempts.reverse(), step.facts.reading.act);
  if (roundsOf(same) < threshold || callsOf(same) < MIN_DIFFERENT) return;
  if (!same.every((earlier) => isAboutTheSame(step, earlier))) return;
  return step.facts.reading.isFileRead || !isListOfItems(same) ? found(step, same) : undefined;
}

/** Finds one thing that is said, asked or written again and again in other words, with nothing done in between. */
function inspectSaid(run: RunState, step: Step, threshold: number): StalledFinding | undefined {
  if (step.facts.isCommand || step.failure !== undefined || step.length > CONFIRMING_LENGTH) return;
  const { act, bringsText } = step.facts.reading;
  if (act !== "says" && act !== "asks" && !(act === "writes" && bringsText)) return;
  const attempts: Step[] = [];
  for (const earlier of recentSteps(run).toReversed()) {
    if (earlier.tool === step.tool && earlier.failure === undefined && earlier.length <= CONFIRMING_LENGTH)
      attempts.push(earlier);
    else if (!isBarren(earlier)) break;
  }
  attempts.reverse();
  const needed = act === "writes" ? threshold + 2 : threshold;
  if (roundsOf(attempts) < needed || callsOf(attempts) < MIN_DIFFERENT) return;
  const words = attempts.map(wordsIn).filter((own) => own !== undefined);
  return words.length === attempts.length && areRewordings(words) ? found(step, attempts) : undefined;
}

/** Whether a step brought nothing and did nothing, so that what was said before it and after it follow each other. */
function isBarren(step: Step): boolean {
  return step.isSynthetic || step.isExcused || step.isEmpty || (!step.isNewCall && !step.isNews) || isSeen(step);
}

/** Whether two steps ask one question in other words, or read the same file. */
function isAboutTheSame(step: Step, earlier: Step): boolean {
  const { reading, like } = step.facts;
  const { act, isPage } = earlier.facts.reading;
  if (isPage || (act !== "looks" && act !== "watches" && act !== "steps")) return false;
  if (reading.isFileRead) return earlier.facts.like === like;
  return !step.facts.isCommand || areSimilar(step, earlier, ALIKE_COMMANDS);
}

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

/** Whether a step can be an attempt that brought nothing. Silence of a call that acts means nothing. */
function mayStall(step: Step): boolean {
  if (step.failure !== undefined && !step.isNothing) return false;
  // A file is read in parts, and again after edits.
  const { act, isCode, isFileRead } = step.facts.reading;
  // Most statements print nothing, and most acts say no more than that they were done.
  if (step.isEmpty ? isCode || act === "steps" || act === "runs" : act === "steps" && step.isMute) return false;
  return act !== "writes" && act !== "says" && act !== "waits" && !isFileRead;
}

/** A cheap check that rules most steps out: enough different calls have come to something that may be the same. */
function mayBeMany(run: RunState, step: Step, threshold: number): boolean {
  const attempts = recentSteps(run).filter((earlier) => mayBeAttempt(step, earlier));
  return attempts.length >= threshold && callsOf(attempts) >= MIN_DIFFERENT;
}

function mayBeAttempt(step: Step, earlier: Step): boolean {
  return earlier.tool === step.tool && (earlier.isNothing ? step.isNothing : isLike(step, earlier));
}

/** Whether two outcomes may be the same. Pages are long and alike: only equal ones count. */
function isLike(step: Step, earlier: Step): boolean {
  return earlier.outcome === step.outcome || (!step.facts.reading.isPage && mayResemble(step, earlier));
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
    if (!earlier.isNothing && earlier.length < MORE_THAN_A_WORD) break;
    attempts.push(earlier);
    // The first that brought what all others brought again is an attempt, too.
    if (!earlier.isNothing && !isLikeEarlier(earlier, run.history, "all")) break;
  }
  return sinceChange(run, attempts.reverse(), step.facts.reading.act);
}

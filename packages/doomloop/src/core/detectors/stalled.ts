import { requireInteger } from "../doomloop-error.ts";
import type { FindingFacts } from "../finding.ts";
import { variationOf } from "../identity/variation.ts";
import { hasLearnedSince, type RunState, recentSteps, sinceChange } from "../memory/run-state.ts";
import { isLikeEarlier, mayResemble, wordsIn } from "../memory/views.ts";
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
      // In the order of what it costs to ask: a command is read last.
      if (!step.facts.isCommand && !mayStall(step)) return;
      if (!mayBeMany(run, step, threshold) || !mayStall(step)) return;
      const attempts = attemptsUpTo(run, step);
      const rounds = new Set(attempts.map(({ round }) => round)).size;
      if (rounds < threshold || new Set(attempts.map(({ call }) => call)).size < DIFFERENT) return;
      const variation = variationOf(attempts.map(wordsIn).filter((words) => words !== undefined));
      if (variation !== "guesses" && variation !== "rewording") {
        // Different questions, one answer to the letter: whoever answers is done with the matter.
        if (variation !== "unrelated" || rounds <= threshold || !areOneAnswer(attempts)) return;
      }
      return {
        kind: "stalled",
        loop: loopIdentity("stalled", step.tool),
        steps: attempts.map(({ index }) => index).sort((one, other) => one - other),
        count: rounds,
        confidence: 0.8,
        isCertain: false,
        tools: [step.tool],
        evidence: { isEmpty: attempts.every(({ isNothing }) => isNothing) },
      };
    },
  };
}

function areOneAnswer(attempts: readonly Step[]): boolean {
  return attempts.every(({ outcome, isNothing }) => outcome === attempts[0]!.outcome && !isNothing);
}

/** Silence of a call that acts means nothing. */
function mayStall(step: Step): boolean {
  if (step.failure !== undefined && !step.isNothing) return false;
  // A file is read in parts, and again after edits.
  const { kind, isFileRead } = factsOf(step).effect;
  return kind !== "change" && kind !== "wait" && !isFileRead;
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
  const isPage = !step.facts.isCommand && factsOf(step).effect.kind === "page";
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
  return sinceChange(run, attempts.reverse(), factsOf(step).effect.kind === "delegate");
}

import type { DetectorKind, Finding } from "../finding.ts";
import { type RunState, rememberStep } from "../memory/run-state.ts";
import { isFailing, type Step } from "../memory/step.ts";
import { again, isMute } from "./again.ts";
import { attempts, barren, isBarren } from "./attempts.ts";
import { failedCheck, failures } from "./failing.ts";
import { findingOf } from "./findings.ts";
import { sayings } from "./sayings.ts";
import type { Sighting } from "./sighting.ts";
import { hasSlept, isAct } from "./waiting.ts";

/** A topic at the level of words, and what it is about. */
export interface Seen {
  readonly sighting: Sighting;
  readonly finding: Finding;
}

/** What the host wants to be told of, and how much evidence of a kind that takes. */
export interface LookTerms {
  readonly least: (kind: DetectorKind) => number;
  readonly isWanted: (finding: Finding, tool: string) => boolean;
  /** The agent was told of this, and goes on with nearly the same. */
  readonly goesOn: (step: Step) => Seen | undefined;
}

/** Adds what a step says to its topics. Returns the first that is worth words, of those that the host wants to be told of. */
export function lookAtStep(run: RunState, step: Step, text: string, terms: LookTerms): Seen | undefined {
  const { least, isWanted, goesOn } = terms;
  const named = (sighting: Sighting | undefined): Seen | undefined => {
    const finding = sighting && findingOf(run, sighting, text);
    return finding !== undefined && isWanted(finding, step.tool) ? { sighting: sighting!, finding } : undefined;
  };
  const repeated = again(run, step, text, Math.min(least("repeated-call"), least("call-cycle")));
  rememberStep(run, step);
  return (
    named(repeated) ??
    goesOn(step) ??
    named(attempts(run, step, text, Math.min(least("same-outcome"), least("stalled")))) ??
    named(failures(run, step, least("failure-streak"))) ??
    named(failedCheck(run, step, least("test-fix"))) ??
    named(sayings(run, step, least("similar-call"))) ??
    named(barren(run, step, least("stalled")))
  );
}

/** Notes what a step was: a sleep, a change, an act, news. */
export function noteStep(run: RunState, step: Step, text: string): void {
  if (hasSlept(step)) {
    run.sleptIn = step.round;
    run.sleptMs = step.waitMs;
  }
  if (step.isChange) run.changedAt = step.index;
  if (isAct(step)) run.actedAt = step.index;
  if (isPointing(step, text)) run.pointedAt = step.index;
  if (step.isNews) {
    run.newsRound = step.round;
    run.news++;
  }
  if (step.isChange || step.isNews || (step.isNewCall && !isFailing(step) && !isBarren(step))) run.drought = 0;
}

/** What shows nothing although it looks, or moves on a page, has opened or selected something. */
function isPointing(step: Step, text: string): boolean {
  const mayPoint = step.effect === "look" || step.effect === "watch" || step.effect === "move";
  return mayPoint && step.isNewCall && !isFailing(step) && !step.isFileRead && isMute(step, text);
}

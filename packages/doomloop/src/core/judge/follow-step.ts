import type { Outcome } from "../identity/outcome.ts";
import type { CallFacts } from "../memory/call-facts.ts";
import { failingTests } from "../memory/checks.ts";
import type { OpenCall } from "../memory/open-calls.ts";
import type { RunState } from "../memory/run-state.ts";
import type { Effect } from "../progress/read-call.ts";
import type { World } from "../progress/world.ts";
import type { Step } from "../step.ts";

const SHORT_FAILURE = 300;
/** What a shell says of a line that it could not read, and so did not run. */
const UNREADABLE = /\b(?:syntax error|unexpected eof|unexpected end of file|unterminated quoted|parse error)\b/i;

/** What a step's success or failure means for the streaks and checks that it continues or ends. */
export function followFailure(state: RunState, step: Step, outcome: Outcome, countsTests: boolean): void {
  const { failures, checks } = state;
  const { failure, facts } = step;
  if (failure === undefined) {
    if (failures.isEmpty() && checks.isEmpty()) return;
    if (step.isEmpty && (facts.effect.kind === "wait" || facts.effect.kind === "look")) return;
    failures.succeed(step.tool, step.index);
    checks.pass(step.call, countsTests && isTest(facts));
    return;
  }
  const { index, round, tool, call, outcome: key } = step;
  // A failure that says nothing shares nothing with another: many programs end with 1 to say no.
  if (!step.isEmpty)
    failures.add({ index, round, tool, kind: failure.kind, isTold: failure.strength === "told", facts });
  // Whether it is a run of tests is asked only where it matters: every one counts, or this one fails as it did before.
  const isTestRun = (countsTests || checks.hasFailed(call, key)) && isTest(facts);
  const failing = isTestRun ? failingTests(outcome.text) : undefined;
  state.check = checks.fail({ call, outcome: key, index, round, isTest: isTestRun, failing });
}

/**
 * Notes a step that may have changed the world: its call had not succeeded before, and does not plainly fail now. What other calls
 * came to in the meantime, up to the one `judged` last, was before the change.
 */
export function noteChange(world: World, open: OpenCall, outcome: Outcome, judged: number): void {
  if (outcome.isSynthetic) return;
  const { facts } = open;
  const index = judged > open.index ? judged + 0.5 : open.index;
  const hasFailed = outcome.failure !== undefined;
  const hasPlainlyFailed = hasFailed && (outcome.failure.strength === "told" || outcome.length < SHORT_FAILURE);
  const hasRun = !(hasPlainlyFailed && outcome.length < SHORT_FAILURE && UNREADABLE.test(outcome.text));
  const hasChanged = (): boolean => hasRun && mayChange(facts.effect, hasFailed, hasPlainlyFailed);
  if (facts.isCommand) world.note(index, hasChanged);
  else if (facts.effect.kind === "delegate") {
    if (!hasFailed) world.delegate(index);
  } else if (hasChanged() && (facts.edit === undefined || world.isNewEdit(facts.edit))) world.change(index);
}

/** Only a command that could be a test run is read to find out. */
function isTest(facts: CallFacts): boolean {
  return facts.mayTest && facts.effect.isTest;
}

function mayChange(effect: Effect, hasFailed: boolean, hasPlainlyFailed: boolean): boolean {
  if (effect.kind === "unknown") return !hasFailed;
  return effect.kind === "change" && (!hasPlainlyFailed || effect.isCompound);
}

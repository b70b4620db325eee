import { isOldNews } from "../core/decision.ts";
import { OUR_WORDS, type Wording } from "../core/messages/wording.ts";
import type { Action, Decision, Rung } from "../index.ts";
import type { HostAbilities } from "./abilities.ts";

/** Where a decision was taken: a call can be refused before it runs, and not at its result. */
export type Moment = "call" | "result";

/** What is done about a decision. `restart` ends the run, as `stop` does: to begin anew is up to the program around it. */
export interface CarriedOut {
  readonly action: Action;
  readonly decided: Action;
  readonly explanation: string | undefined;
  /** Words that are true of what is done, and of what is announced. */
  readonly message: string | undefined;
}

/** Finds the strongest action that a host can carry out and that is no stronger than the decided one. */
export function carryOut(
  decision: Decision,
  abilities: HostAbilities,
  moment: Moment,
  wording: Wording = OUR_WORDS,
): CarriedOut {
  const { action: decided, explanation } = decision;
  const nothing: CarriedOut = { action: "continue", decided, explanation, message: undefined };
  if (decision.action === "continue") return nothing;
  // A run that was to end and cannot be ended is not held up for good: its loop is refused, and nothing else.
  if (isOldNews(decision) && abilities.stop === "none") return nothing;
  const action = strongest(decision.action, abilities, moment);
  const announced = "next" in decision ? decision.next : undefined;
  const next = announced && strongest(announced, abilities, "call");
  const isTrue = decision.hasOwnWords === true || (action === decision.action && next === announced);
  return {
    action,
    decided,
    explanation,
    message: isTrue ? decision.message : truthful(decision, action, next, wording),
  };
}

function strongest(decided: Rung, abilities: HostAbilities, moment: Moment): CarriedOut["action"] {
  const { stop, restart = stop !== "none" } = abilities;
  if ((decided === "stop" && stop !== "none") || (decided === "restart" && restart)) return decided;
  if (decided !== "nudge" && moment === "call" && abilities.block) return "block";
  return abilities.nudge === "none" ? "continue" : "nudge";
}

/** "This call was not run" is not said of a call that runs, nor "the run will be stopped" where it cannot be. */
function truthful(
  { finding, message }: Decision,
  action: CarriedOut["action"],
  next: CarriedOut["action"] | undefined,
  wording: Wording,
) {
  if (finding === undefined) return message;
  const isRefused = action === "block";
  const isLast = next === "block" || next === "restart" || next === "stop";
  const announced = isLast ? next : undefined;
  const tone = isRefused || isLast ? "last" : "warning";
  const answer = { rung: isRefused ? "block" : "nudge", tone, next: announced } as const;
  return wording.message(finding, answer, { next: announced, isRefused, isAttended: false, isShadow: false });
}

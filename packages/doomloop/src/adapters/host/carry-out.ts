import { messageFor } from "../../core/messages/index.ts";
import type { Action, Decision } from "../../index.ts";
import type { HostAbilities } from "./abilities.ts";

/** Where a decision was taken: a call can be refused before it runs, and not at its result. */
export type Moment = "call" | "result";

/** What is done about a decision. `restart` is never done: a host has no checkpoint to begin anew from. */
export interface CarriedOut {
  readonly action: Exclude<Action, "restart">;
  /** Words that are true of what is done. */
  readonly message: string | undefined;
}

/** Finds the strongest action that a host can carry out and that is no stronger than the decided one. */
export function carryOut(decision: Decision, abilities: HostAbilities, moment: Moment): CarriedOut {
  const action = strongest(decision.action, abilities, moment);
  return { action, message: action === decision.action ? decision.message : truthful(decision, action) };
}

function strongest(decided: Action, abilities: HostAbilities, moment: Moment): CarriedOut["action"] {
  if (decided === "continue") return "continue";
  if (decided === "stop" && abilities.stop !== "none") return "stop";
  if (decided !== "nudge" && moment === "call" && abilities.block) return "block";
  return abilities.nudge === "none" ? "continue" : "nudge";
}

/** "This call was not run" is not said of a call that runs, nor "the run ends here" of a run that goes on. */
function truthful({ finding, message }: Decision, action: CarriedOut["action"]): string | undefined {
  if (finding === undefined) return message;
  const isRefused = action === "block";
  const answer = {
    rung: isRefused ? "block" : "nudge",
    tone: isRefused ? "last" : "warning",
    next: undefined,
  } as const;
  return messageFor(finding, answer, { next: undefined, isRefused, isAttended: false, isShadow: false });
}

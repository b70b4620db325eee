import type { Action } from "../core/decision.ts";
import { OUR_WORDS, type Wording } from "../core/messages/wording.ts";
import type { Decision, Finding, Rung } from "../index.ts";
import { isOldNews } from "./loop-stop.ts";

/** What a host can do. The adapter says so, for its framework and sometimes for the way it is wired. */
export interface HostAbilities {
  /** Where words to the agent can go: into a tool's result, into a message before the next answer, or nowhere. */
  readonly nudge: "result" | "message" | "none";
  /** Whether a call can be answered without being run. */
  readonly block: boolean;
  /** `clean`: we can end the run · `answer`: our words become the agent's last answer · `none`: we cannot end the run. */
  readonly stop: "clean" | "answer" | "none";
  /**
   * Whether a run can start over.
   * @default true if the run can be ended: the program around it then starts the next attempt
   */
  readonly restart?: boolean;
}

/** When a decision was taken. A call can be refused before it runs, but not once its result is there. */
export type DecidedAt = "call" | "result";

/** A decision as a host can carry it out. `restart` ends the run, as `stop` does; the program around it starts the next attempt. */
export interface FeasibleDecision {
  readonly action: Action;
  readonly decision: Decision;
  readonly finding: Finding | undefined;
  readonly explanation: string | undefined;
  /** Words that match what is done and what is announced. */
  readonly message: string | undefined;
}

/** Finds the strongest action that the host can carry out and that is not stronger than the decided one. */
export function withinAbilities(
  decision: Decision,
  abilities: HostAbilities,
  decidedAt: DecidedAt,
  wording: Wording = OUR_WORDS,
): FeasibleDecision {
  const { explanation, finding } = decision;
  const nothing: FeasibleDecision = { action: "continue", decision, finding, explanation, message: undefined };
  if (decision.action === "continue") return nothing;
  // If a run should have ended but cannot be ended, only its loop is refused. Its other calls run.
  if (isOldNews(decision) && abilities.stop === "none") return nothing;
  const action = strongestAction(decision.action, abilities, decidedAt);
  // The agent was told before, and the way out is never refused.
  if (action === "block" && decision.isWayOut === true) return nothing;
  const announced = "next" in decision ? decision.next : undefined;
  const next = announced && strongestAction(announced, abilities, "call");
  const isTrue = decision.hasOwnWords === true || (action === decision.action && next === announced);
  return {
    action,
    decision,
    finding,
    explanation,
    message: isTrue ? decision.message : truthfulMessage(decision, action, next, wording),
  };
}

function strongestAction(decided: Rung, abilities: HostAbilities, decidedAt: DecidedAt): Action {
  const { stop, restart = stop !== "none" } = abilities;
  if ((decided === "stop" && stop !== "none") || (decided === "restart" && restart)) return decided;
  if (decided !== "nudge" && decidedAt === "call" && abilities.block) return "block";
  return abilities.nudge === "none" ? "continue" : "nudge";
}

/** Never says "Not run" about a call that runs, or "ends the run" if the host cannot end it. */
function truthfulMessage({ finding, message }: Decision, action: Action, next: Action | undefined, wording: Wording) {
  if (finding === undefined) return message;
  const isRefused = action === "block";
  const isLast = next === "block" || next === "restart" || next === "stop";
  const announced = isLast ? next : undefined;
  const tone = isRefused || isLast ? "last" : "warning";
  const answer = { rung: isRefused ? "block" : "nudge", tone, next: announced } as const;
  return wording.message(finding, answer, { next: announced, isRefused, isAttended: false, isShadow: false });
}

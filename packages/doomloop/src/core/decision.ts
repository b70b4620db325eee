import type { Finding } from "./detectors/index.ts";
import type { Rung } from "./policy/rungs.ts";

/** The status of a run that the guard ended, for a host's failure routing. */
export const LOOP_DETECTED = "LOOP_DETECTED";

/** Nothing is done. In shadow mode, `would` says what would have been done, `finding` and `explanation` what was seen. */
interface ContinueDecision {
  readonly action: "continue";
  readonly would?: Rung;
  readonly finding?: Finding;
  readonly explanation?: string;
  readonly message?: undefined;
  readonly status?: undefined;
}

/** Something is done about a loop. */
interface Answer<Does extends string> {
  readonly action: Does;
  /** Words to the agent. Holds no foreign bytes but tool names that look like identifiers. */
  readonly message: string;
  /** Words to people; for an attended run that is out of rungs, a question. */
  readonly explanation?: string;
  readonly finding?: Finding;
  /** What comes next if the loop goes on, and what the words announce where it is more than another nudge. */
  readonly next?: Rung;
  /**
   * How often the agent was told of this loop and went on. Present from the third time: a host can hand the run to a person or to a
   * stronger model, whatever the guard itself does next.
   */
  readonly escalate?: number;
  /** `message` is that of `onDecision`. */
  readonly hasOwnWords?: true;
  readonly status?: undefined;
}

/** The run is over. */
interface StopDecision extends Omit<Answer<"stop">, "status" | "next"> {
  readonly status: typeof LOOP_DETECTED;
  /** The run had been ended before, and this call is answered so for no other reason. */
  readonly isAlreadyStopped?: true;
}

/**
 * The only output of a guard. A value: nothing is thrown to say stop.
 *
 * `nudge`: give `message` to the agent with the next result · `block`: do not run this call, answer it with `message` ·
 * `restart`: begin anew from a checkpoint, with `message` as the first thing the agent reads · `stop`: end the run.
 */
export type Decision = ContinueDecision | Answer<"nudge"> | Answer<"block"> | Answer<"restart"> | StopDecision;

/** What to do, mildest first. */
export type Action = Decision["action"];

/** Whether a decision only says once more that the run is over. */
export function isOldNews(decision: Decision): boolean {
  return decision.action === "stop" && decision.isAlreadyStopped === true;
}

/** What a host does in place of a decision. Words that it leaves out are the guard's. */
export interface OwnDecision {
  readonly action: Action;
  readonly message?: string | undefined;
  readonly explanation?: string | undefined;
}

export const CONTINUE: Decision = Object.freeze({ action: "continue" });

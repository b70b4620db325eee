import type { Rung } from "./answer.ts";
import type { Finding } from "./finding.ts";

/** The status of a run that the guard ended, for the failure handling of a host. */
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
  /** The message for the agent. The only foreign text in it is tool names that look like identifiers. */
  readonly message: string;
  /** An explanation for people. At the top rung of an attended run, a question. */
  readonly explanation?: string;
  readonly finding?: Finding;
  /** What comes next if the loop goes on. If it is more than another nudge, the message announces it. */
  readonly next?: Rung;
  /**
   * How often the agent was told about this loop and continued. Present from the third time, so that a host can hand the run to a person
   * or a stronger model, whatever the guard does next.
   */
  readonly escalate?: number;
  /** `message` comes from `onDecision`. */
  readonly hasOwnWords?: true;
  readonly status?: undefined;
}

/** The run is over. */
interface StopDecision extends Omit<Answer<"stop">, "status" | "next"> {
  readonly status: typeof LOOP_DETECTED;
  /** The run was ended before; this only says so again. */
  readonly isAlreadyStopped?: true;
}

/**
 * The only output of a guard. It is a value: nothing is thrown.
 *
 * `nudge`: give `message` to the agent with the next result · `block`: do not run this call, answer it with `message` ·
 * `restart`: start over from a checkpoint, with `message` as the first thing the agent reads · `stop`: end the run.
 */
export type Decision = ContinueDecision | Answer<"nudge"> | Answer<"block"> | Answer<"restart"> | StopDecision;

/** What to do, mildest first. */
export type Action = Decision["action"];

/** What a host does instead of a decision. The guard fills in the texts that it leaves out. */
export interface OwnDecision {
  readonly action: Action;
  readonly message?: string | undefined;
  readonly explanation?: string | undefined;
}

export const CONTINUE: Decision = Object.freeze({ action: "continue" });

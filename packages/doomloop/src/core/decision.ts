import type { Finding } from "./detectors/index.ts";

/** What to do, mildest first. */
export type Action = "continue" | "nudge" | "block" | "restart" | "stop";

/** The status of a run that the guard ended, for a host's failure routing. */
export const LOOP_DETECTED = "LOOP_DETECTED";

/** The only output of a guard. A value: nothing is thrown to say stop. */
export interface Decision {
  /**
   * `nudge`: give `message` to the agent with the next result · `block`: do not run this call, answer it with `message` ·
   * `restart`: begin anew from a checkpoint, with `message` as the first thing the agent reads · `stop`: end the run.
   */
  readonly action: Action;
  readonly finding?: Finding;
  /** Words to the agent. Holds no foreign bytes but tool names that look like identifiers. */
  readonly message?: string;
  /** Words to the human who runs the agent; for an attended run that is out of rungs, a question. */
  readonly explanation?: string;
  /** Set when `action` is `stop`. */
  readonly status?: typeof LOOP_DETECTED;
}

export const CONTINUE: Decision = Object.freeze({ action: "continue" });

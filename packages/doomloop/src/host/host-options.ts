import type { Action } from "../core/decision.ts";
import type { Decision, Guard, GuardOptions, LoopStop } from "../index.ts";

import type { SecondOpinion } from "./second-opinion.ts";

export type { LoopStop } from "../index.ts";

/** A decision that the host cannot carry out, and what was done instead. */
export interface HostDowngrade {
  readonly decided: Action;
  readonly done: Action;
  readonly decision: Decision;
}

/** The options of every adapter: those of a guard, and how the guard talks to the host. */
export interface HostOptions extends GuardOptions, HostProbes {
  /**
   * Your own guard, for one run. Other guard options are then ignored.
   * @default a new guard for each run
   */
  readonly guard?: Omit<Guard, "call">;
  /**
   * Creates the guard of each run, for code that must know all of them, such as telemetry or a fleet. It gets the guard options from
   * this object, and the host's key of the run if there is one. It is called when something first happens in a run. If it throws, the
   * run is not watched, and `onFault` is called.
   * @default createGuard
   */
  readonly createGuard?: (options: GuardOptions, run: string | undefined) => Omit<Guard, "call">;
  /** Called when a run is ended, once for each run. */
  readonly onStop?: (stop: LoopStop) => unknown;
  /** Called when the host cannot carry out a decision, with what was done instead. Once for each run and kind of downgrade. */
  readonly onDowngrade?: (downgrade: HostDowngrade) => unknown;
  /**
   * Puts the guard's message where you want it, for example into a user or system message of your next request. Return true if you do;
   * otherwise it is appended to the result. Keep its beginning, `[doomloop]`: the guard recognises its own messages by it. The answer to
   * a refused call is not passed to this function.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that only looks returns void.
  readonly deliver?: (words: string, run: string | undefined) => boolean | undefined | void;
  /**
   * Asks another model where the guard cannot tell a loop from work: `askModel(...)` from `doomloop/opinion`. Nothing waits for an answer.
   * @default nobody is asked
   */
  readonly secondOpinion?: SecondOpinion | undefined;
  /**
   * Shows the agent the arguments of the call that it repeats, shortened and marked as data. Arguments may contain text from anywhere,
   * and this sends them back to the model, so it is off unless you ask for it.
   * @default false
   */
  readonly quote?: boolean;
}

/** What only the host can measure. Each function gets the host's key of the run, if there is one. */
export interface HostProbes {
  /**
   * Your own measure of the world, such as the hash of a diff or the number of failing tests. Called after each result. A different value
   * is progress; an equal value cancels a change that a call only claimed. Must answer synchronously.
   */
  readonly state?: (run: string | undefined) => Readonly<Record<string, unknown>> | undefined;
  /**
   * How often the conversation has been compacted so far, for hosts that do not report it. Called before each call. If the agent reads
   * something again after a compaction, that is not a repeat.
   */
  readonly compactions?: (run: string | undefined) => number;
}

import type { Action, Decision, Guard, GuardOptions, LoopStop } from "../index.ts";

export type { LoopStop } from "../index.ts";

/** A decision that the host cannot carry out, and what was done instead. */
export interface HostDowngrade {
  readonly decided: Action;
  readonly done: Action;
  readonly decision: Decision;
}

/** What every adapter takes: the options of a guard, and how the host is told. */
export interface HostOptions extends GuardOptions, HostProbes {
  /**
   * A guard of your own, for one run. The guard's other options are then not read.
   * @default a new guard for each run
   */
  readonly guard?: Guard;
  /**
   * Makes the guard of each run, for whatever has to know all of them: telemetry, a fleet. It is given the guard's options of
   * these, and the host's key of the run, where there is one. Asked when a run begins, not before; if it throws, the run
   * goes unwatched and `onFault` is told.
   * @default createGuard
   */
  readonly createGuard?: (options: GuardOptions, run: string | undefined) => Guard;
  /** Told when a run is ended, once a run. */
  readonly onStop?: (stop: LoopStop) => unknown;
  /** Told once a run of each decision that the host cannot carry out, and of what was done instead. */
  readonly onDowngrade?: (downgrade: HostDowngrade) => unknown;
  /**
   * Puts words to the agent where you want them, instead of with a result: into a user or system message of your next request. Return true
   * if you do; they are added to the result otherwise. Leave their beginning, `[doomloop]`, as it is: the guard knows its words by it.
   * What a refused call is answered with is not asked about.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that only looks returns void.
  readonly deliver?: (words: string, run: string | undefined) => boolean | undefined | void;
  /**
   * Shows the agent the arguments of the call that it repeats, cut and marked as data. They are written by someone else and
   * go back to the model, so this is off unless you ask for it.
   * @default false
   */
  readonly quote?: boolean;
}

/** What the host knows of a run and shows nobody. Each is given the host's key of the run, where there is one. */
export interface HostProbes {
  /**
   * Your own measure of the world, asked after each result: a diff's hash, the number of failing tests. A value that differs is
   * progress; one that does not takes back a change that a call only claims. Must answer at once.
   */
  readonly state?: (run: string | undefined) => Readonly<Record<string, unknown>> | undefined;
  /**
   * How often the conversation has been compacted so far, asked before each call: for hosts that do not tell. What an agent
   * reads again after that is no repeat.
   */
  readonly compactions?: (run: string | undefined) => number;
}

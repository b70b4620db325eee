import type { Action, Decision, Guard, GuardOptions } from "../../index.ts";

/** A run that the guard ended, for whoever started it. */
export interface HostStop {
  /** Words to the agent; some hosts show them as its last answer. */
  readonly message: string;
  /** Words to the human who runs the agent. */
  readonly explanation: string;
  /** The decision behind it, with its finding. */
  readonly decision: Decision;
  /** The host's id of the call at which the run ended, where there is one. */
  readonly callId: string | undefined;
  /** The host's key of the run (a thread, a session), where it has one. A `guard` of your own is one run, whatever the keys. */
  readonly run: string | undefined;
}

/** A decision that the host cannot carry out, and what was done instead. */
export interface HostDowngrade {
  readonly decided: Action;
  readonly done: Action;
  readonly decision: Decision;
}

/** What every adapter takes: the options of a guard, and how the host is told. */
export interface HostOptions extends GuardOptions {
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
  readonly onStop?: (stop: HostStop) => void;
  /** Told once a run of each decision that the host cannot carry out, and of what was done instead. */
  readonly onDowngrade?: (downgrade: HostDowngrade) => void;
}

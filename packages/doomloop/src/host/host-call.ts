import type { Action } from "../index.ts";

/** A tool call that is about to run. */
export interface HostCall {
  /** The host's id of the call. Where you can, pass the answer's `id` on to {@link HostRun.result}: that one is unique. */
  readonly id?: string | undefined;
  readonly tool: string;
  readonly args?: unknown;
  /** The tool's own word on whether it changes anything. */
  readonly readOnly?: boolean | undefined;
  /** Whether it has been made already, so that it cannot be refused. Its result is yet to be told. */
  readonly hasRun?: boolean | undefined;
}

/** What a call came back with. */
export interface HostResult {
  readonly id: string;
  readonly output?: unknown;
  /** Whether the tool failed, where the host knows. */
  readonly error?: boolean | undefined;
  /** Whether it came at some time since the call, and is heard of only now: with the next request. */
  readonly isLate?: boolean | undefined;
  /** Whether it is no answer of the tool but that of a guard, which refused the call when it was made. */
  readonly isRefusal?: boolean | undefined;
}

/**
 * What a conversation that comes back shows of a part of it. `told`: the agent was told something there, so what is decided counts as
 * said · `untold`: nothing was said there, so nothing is decided · `due`: nobody has answered it yet.
 */
export type Recalled = "told" | "untold" | "due";

/**
 * What to do with a call. `run`: as if we were absent · `block`: do not run it, answer it with `message` · `stop`: do not
 * run it, answer it with `message`, and end the run, be it for good or to start over.
 */
export type CallAnswer = { readonly action: "run"; readonly id: string } | RefusedCall;

/** A call that is not to run. */
export interface RefusedCall {
  readonly action: "block" | "stop";
  /** What was decided: a host that cannot end a run refuses a call instead. */
  readonly decided: Action;
  readonly id: string;
  readonly message: string;
  /** Words to people. */
  readonly explanation: string | undefined;
}

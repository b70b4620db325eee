import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import type { Conversation } from "./conversation.ts";
import type { RunnerLike } from "./messages.ts";

/** The runs of guarded runners and conversations. */
const runs = new WeakMap<object, HostRun>();

/** From now on, this run can be found by this object. */
export function noteRun(guarded: object, run: HostRun | undefined): void {
  if (run !== undefined) runs.set(guarded, run);
}

/** The run of an object that was guarded. */
export function runOf(guarded: object): HostRun | undefined {
  return runs.get(guarded);
}

/**
 * Why the guard ended this run; undefined if it did not. Takes what `guard` gave back: a runner or a conversation. Words of the user take
 * an end back.
 */
export function loopStop(guarded: RunnerLike | Conversation): LoopStop | undefined {
  return runs.get(guarded)?.stopped();
}

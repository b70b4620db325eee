import type { LoopStop } from "../index.ts";
import { isObject } from "./is-object.ts";

const MARKER = Symbol.for("doomloop.loop-stop-error");

/** What a run that was ended is rejected with, where the user of an adapter asks for that. */
export class LoopStopError extends Error {
  override readonly name = "LoopStopError";
  readonly [MARKER] = true;
  /** Why the run was ended. The error's message is its `explanation`. */
  readonly stop: LoopStop;

  constructor(stop: LoopStop) {
    super(stop.explanation);
    this.stop = stop;
  }
}

/** Whether a run was rejected because the guard ended it, also by another copy of this library. */
export function isLoopStopError(value: unknown): value is LoopStopError {
  return isObject(value) && (value as { [MARKER]?: unknown })[MARKER] === true;
}

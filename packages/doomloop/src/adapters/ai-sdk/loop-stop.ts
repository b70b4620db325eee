import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { isObject } from "../../host/is-object.ts";

/** What is read of a result: the steps of its run. */
export interface StepsLike {
  readonly steps: readonly FinishedStep[];
}

/** The same of a stream, whose steps are known at its end. */
export interface StreamedStepsLike {
  readonly steps: PromiseLike<readonly FinishedStep[]>;
}

interface FinishedStep {
  readonly content: readonly object[];
}

/** The ends of runs, by the objects that the host hands on in their steps: the last step, a call's input, the error that we threw. */
const stops = new WeakMap<object, LoopStop>();

/**
 * Why the guard ended this very run; undefined if it did not. Also where one agent serves many runs at a time.
 *
 * Takes what `generateText` or `agent.generate` gave back, or the event of `onFinish`. Of a stream it gives a promise, which
 * waits for the stream's end as `result.steps` does; it is never rejected.
 */
export function loopStop(result: StepsLike): LoopStop | undefined;
export function loopStop(result: StreamedStepsLike): Promise<LoopStop | undefined>;
export function loopStop(result: StepsLike | StreamedStepsLike): LoopStop | undefined | Promise<LoopStop | undefined> {
  const steps = isObject(result) ? result.steps : undefined;
  if (isList(steps)) return stopIn(steps);
  if (!isObject(steps)) return undefined;
  return Promise.resolve(steps as PromiseLike<readonly FinishedStep[]>)
    .then(stopIn)
    .catch(() => undefined);
}

/** If the run is over, its end can be found by this object of it from now on. */
export function noteStop(mark: unknown, run: HostRun): void {
  const stop = run.stopped();
  if (stop !== undefined && isObject(mark)) stops.set(mark, stop);
}

function stopIn(steps: readonly FinishedStep[]): LoopStop | undefined {
  return firstStop(steps, (step) => stops.get(step) ?? firstStop(step.content, stopAt));
}

/** An end that was decided in a step behind which the host asked for no condition, because the step ended the run by itself. */
function stopAt(part: { readonly input?: unknown; readonly error?: unknown }): LoopStop | undefined {
  return firstStop([part.error, part.input], (mark) => (isObject(mark) ? stops.get(mark) : undefined));
}

function firstStop<Item>(items: readonly Item[], find: (item: Item) => LoopStop | undefined): LoopStop | undefined {
  for (const item of items) {
    const stop = find(item);
    if (stop !== undefined) return stop;
  }
  return undefined;
}

function isList(steps: unknown): steps is StepsLike["steps"] {
  return Array.isArray(steps);
}

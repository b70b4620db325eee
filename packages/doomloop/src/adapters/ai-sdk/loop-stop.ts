import { safely } from "../../core/faults.ts";
import { isObject } from "../../core/identity/read-object.ts";
import type { LoopStop } from "../../host/host-options.ts";
import type { HostRun } from "../../host/host-run.ts";
import { REPORT_REQUEST } from "../../index.ts";
import { firstOf } from "./identify-run.ts";
import type { Prepare, StepLike } from "./settings.ts";

/** A result with the steps of its run. */
export interface StepsLike {
  readonly steps: readonly FinishedStep[];
}

/** A streamed result, whose steps are known when the stream ends. */
export interface StreamedStepsLike {
  readonly steps: PromiseLike<readonly FinishedStep[]>;
}

interface FinishedStep {
  readonly content: readonly object[];
}

/** The ends of runs, by objects that the SDK keeps in their steps: the last step, the input of a call, the error that we threw. */
const stops = new WeakMap<object, LoopStop>();

/**
 * Why the guard ended this run; undefined if it did not. Works even if one agent serves many runs at a time.
 *
 * Takes the result of `generateText` or `agent.generate`, or the event of `onFinish`. For a stream it returns a promise, which is
 * resolved when the stream ends, as `result.steps` is. It is never rejected.
 */
export function loopStop(result: StepsLike): LoopStop | undefined;
export function loopStop(result: StreamedStepsLike): Promise<LoopStop | undefined>;
export function loopStop(result: StepsLike | StreamedStepsLike): LoopStop | undefined | Promise<LoopStop | undefined> {
  const steps = safely(() => (isObject(result) ? result.steps : undefined));
  if (isList(steps)) return safely(() => stopIn(steps));
  if (!isObject(steps)) return undefined;
  return Promise.resolve(steps as PromiseLike<readonly FinishedStep[]>)
    .then(stopIn)
    .catch(() => undefined);
}

/** If the run is over, its end can be found by this object from now on. */
export function noteStop(mark: unknown, run: HostRun): void {
  const stop = run.stopped();
  if (stop !== undefined && isObject(mark)) stops.set(mark, stop);
}

function stopIn(steps: readonly FinishedStep[]): LoopStop | undefined {
  return firstOf(steps, (step) => stops.get(step) ?? firstOf(step.content, stopAt));
}

/** Finds an end by a part of a step. Needed if the step ended the run by itself, so that the SDK did not check the stop condition. */
function stopAt(part: { readonly input?: unknown; readonly error?: unknown }): LoopStop | undefined {
  return firstOf([part.error, part.input], (mark) => (isObject(mark) ? stops.get(mark) : undefined));
}

function isList(steps: unknown): steps is StepsLike["steps"] {
  return Array.isArray(steps);
}

/** One last step of an ended run, without tools, in which the model says what it did. */
export interface FinalReport {
  /** Whether the run continues for its report. Once for each run, and only if the SDK calls {@link FinalReport.prepareStep}. */
  begin(steps: readonly StepLike[], stop: LoopStop): boolean;
  /** Calls the caller's own function, and adds the settings of the last step. */
  readonly prepareStep: Prepare;
}

/** The fields of a step's settings that are read here. */
interface StepSettings {
  readonly messages?: readonly object[] | undefined;
}

/** Creates the reports of all runs of one `guard` call. The SDK's list of steps identifies a run. */
export function createFinalReport(theirs: Prepare | undefined): FinalReport {
  const prepared = new WeakSet<object>();
  const begun = new WeakMap<object, LoopStop>();
  return {
    begin(steps, stop) {
      if (begun.has(steps) || !prepared.has(steps)) return false;
      begun.set(steps, stop);
      return true;
    },
    async prepareStep(options) {
      const settings: StepSettings | undefined = await theirs?.(options);
      const { steps, messages } = options as { steps?: readonly StepLike[]; messages?: readonly object[] };
      if (!Array.isArray(steps)) return settings;
      prepared.add(steps);
      const stop = begun.get(steps);
      if (stop === undefined) return settings;
      const request = { role: "user", content: `${stop.message}\n\n${REPORT_REQUEST}` };
      // Not the choice "none": with it, the SDK rejects the whole run if the model still calls a tool.
      const withoutTools = { toolChoice: "auto", activeTools: [] };
      return { ...settings, ...withoutTools, messages: [...(settings?.messages ?? messages ?? []), request] };
    },
  };
}

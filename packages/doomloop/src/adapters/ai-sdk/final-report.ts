import type { LoopStop } from "../../host/host-options.ts";
import { REPORT_REQUEST } from "../../index.ts";
import type { PrepareStep, StepLike } from "./settings.ts";

/** One last step of a run that is ended, without tools: the model says what it did. */
export interface FinalReport {
  /** Whether the run goes on for its report. Once a run, and only where {@link FinalReport.prepareStep} is what the host asks. */
  begin(steps: readonly StepLike[], stop: LoopStop): boolean;
  /** The caller's function, and the settings of the last step. */
  readonly prepareStep: PrepareStep;
}

/** What is read of the settings of a step; the host's own have more. */
interface StepSettings {
  readonly messages?: readonly object[] | undefined;
}

/** Creates the reports of all runs of one wiring, told apart by the host's list of steps. */
export function createFinalReport(theirs: PrepareStep | undefined): FinalReport {
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
      // Not the choice "none": the host rejects the whole run if a model calls a tool in spite of it.
      const withoutTools = { toolChoice: "auto", activeTools: [] };
      return { ...settings, ...withoutTools, messages: [...(settings?.messages ?? messages ?? []), request] };
    },
  };
}

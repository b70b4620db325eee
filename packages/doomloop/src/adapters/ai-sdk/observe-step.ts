import type { HostRun } from "../../host/host-run.ts";
import type { HostRuns } from "../../host/host-runs.ts";
import { DoomloopError } from "../../index.ts";
import { isCall, type RunIdentifier } from "./identify-run.ts";
import { type FinalReport, noteStop } from "./loop-stop.ts";
import type { StepLike } from "./settings.ts";

type StepIdentifier = Pick<RunIdentifier, "ofSteps" | "hasSeen">;
export type OwnCondition = (options: { steps: readonly StepLike[] }) => boolean;

const UNGUARDED =
  "guard: a tool ran that was not passed to guard, so its calls cannot be refused; pass all tools to guard, and add none afterwards";

/** Returns the condition that ends a run after the step in which the guard decided it. */
export function stopCondition(runs: HostRuns, identifier: StepIdentifier, report?: FinalReport): OwnCondition {
  return ({ steps }) =>
    runs.withFallback(false, () => {
      const run = identifier.ofSteps(steps);
      observeStep(steps.at(-1), run, identifier, runs);
      noteStop(steps.at(-1), run);
      const stop = run.stopped();
      return stop !== undefined && report?.begin(steps, stop) !== true;
    });
}

/**
 * Observes the calls of a step that our `execute` did not see, because the provider ran them or the SDK rejected their arguments. If the SDK
 * ran one, its tool is not one of ours.
 */
function observeStep(step: StepLike | undefined, run: HostRun, identifier: StepIdentifier, runs: HostRuns): void {
  const content = step?.content ?? [];
  for (const { type, toolCallId, output, error, preliminary } of content) {
    if ((type !== "tool-result" && type !== "tool-error") || preliminary === true) continue;
    const call = content.find((part) => isCall(part) && part.toolCallId === toolCallId);
    if (call?.toolName === undefined || identifier.hasSeen(call)) continue;
    const isError = type === "tool-error";
    if (!isError && call.providerExecuted !== true && call.invalid !== true)
      runs.reportFault(new DoomloopError("misuse", UNGUARDED));
    run.past({
      id: toolCallId,
      tool: call.toolName,
      args: call.input,
      output: isError ? String(error) : output,
      error: isError,
    });
  }
}

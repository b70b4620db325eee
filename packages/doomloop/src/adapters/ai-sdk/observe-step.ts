import type { HostRun } from "../../host/host-run.ts";
import { DoomloopError } from "../../index.ts";
import { isCall, type RunIdentifier } from "./identify-run.ts";
import type { StepLike } from "./settings.ts";

type ReportFault = (fault: unknown) => void;

const UNGUARDED =
  "guard: a tool ran that was not passed to guard, so its calls cannot be refused; pass all tools to guard, and add none afterwards";

/**
 * Observes the calls of a step that our `execute` did not see, because the provider ran them or the SDK rejected their arguments. If the SDK
 * ran one, its tool is not one of ours.
 */
export function observeStep(
  step: StepLike | undefined,
  run: HostRun,
  identifier: RunIdentifier,
  report: ReportFault,
): void {
  const content = step?.content ?? [];
  for (const { type, toolCallId, output, error, preliminary } of content) {
    if ((type !== "tool-result" && type !== "tool-error") || preliminary === true) continue;
    const call = content.find((part) => isCall(part) && part.toolCallId === toolCallId);
    if (call?.toolName === undefined || identifier.hasSeen(call)) continue;
    const isError = type === "tool-error";
    if (!isError && call.providerExecuted !== true && call.invalid !== true)
      report(new DoomloopError("misuse", UNGUARDED));
    run.past({
      id: toolCallId,
      tool: call.toolName,
      args: call.input,
      output: isError ? String(error) : output,
      error: isError,
    });
  }
}

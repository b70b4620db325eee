import type { HostRun } from "../../host/host-run.ts";
import { DoomloopError } from "../../index.ts";
import type { StepLike } from "./settings.ts";
import { isCall, type RunTeller } from "./tell-runs.ts";

type ReportFault = (fault: unknown) => void;

const UNGUARDED =
  "guarded: a tool ran that is not among its tools, so its calls cannot be refused; pass all tools to guarded, and none after it";

/**
 * Observes the calls of a step that no `execute` of ours saw: the provider ran them, or the host refused their arguments. If the host ran
 * one, its tool is another than ours.
 */
export function observeStep(step: StepLike | undefined, run: HostRun, teller: RunTeller, report: ReportFault): void {
  const content = step?.content ?? [];
  for (const { type, toolCallId, output, error, preliminary } of content) {
    if ((type !== "tool-result" && type !== "tool-error") || preliminary === true) continue;
    const call = content.find((part) => isCall(part) && part.toolCallId === toolCallId);
    if (call?.toolName === undefined || teller.hasSeen(call)) continue;
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

import type { HostRun } from "../../host/host-run.ts";
import type { StepLike } from "./settings.ts";
import { isCall, type RunTeller } from "./tell-runs.ts";

/** Observes the calls of a step that no `execute` of ours saw: the provider ran them, or the host refused their arguments. */
export function observeStep(step: StepLike | undefined, run: HostRun, teller: RunTeller): void {
  const content = step?.content ?? [];
  for (const { type, toolCallId, output, error, preliminary } of content) {
    if ((type !== "tool-result" && type !== "tool-error") || preliminary === true) continue;
    const call = content.find((part) => isCall(part) && part.toolCallId === toolCallId);
    if (call?.toolName === undefined || teller.hasSeen(call)) continue;
    const isError = type === "tool-error";
    run.past({
      id: toolCallId,
      tool: call.toolName,
      args: call.input,
      output: isError ? String(error) : output,
      error: isError,
    });
  }
}

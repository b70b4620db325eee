import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import { exitError, shellReport } from "../../transcripts/shell-report.ts";

/** Takes the results of a line: what the model saw, and what Qwen Code itself knows of how the call went. */
export function takeResult(
  run: RunEvents,
  parts: readonly unknown[],
  told: ForeignRecord | undefined,
  at: number | undefined,
): void {
  for (const part of parts) {
    const response = recordOf(recordOf(part)?.functionResponse);
    if (response === undefined) continue;
    const { output, error: fault } = recordOf(response.response) ?? {};
    const report = shellReport(output ?? fault ?? response.response);
    const isFailed = told?.status === "error" || (output === undefined && fault !== undefined);
    run.result(textOf(response.id), report.output, {
      error: isFailed ? true : (shownError(told) ?? report.error),
      at,
      synthetic: told?.status === "cancelled" ? true : undefined,
    });
  }
}

/** What is shown of a shell command has its exit code, also where the report to the model has none. */
function shownError(told: ForeignRecord | undefined): boolean | undefined {
  const shown = recordOf(told?.resultDisplay);
  return exitError(shown?.exitCode, shown?.output);
}

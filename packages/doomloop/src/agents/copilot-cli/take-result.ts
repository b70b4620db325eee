import { type ForeignRecord, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import { exitError } from "../../transcripts/shell-report.ts";
import { withoutShellId } from "./without-shell-id.ts";

/** Takes what a call came back with. A refused call fails with a code of its own. */
export function takeResult(run: RunEvents, data: ForeignRecord, at: number | undefined): void {
  const fault = recordOf(data.error);
  const { content } = recordOf(data.result) ?? {};
  const output = withoutShellId(content ?? fault?.message);
  const exit = exitError(recordOf(data.shellExecution)?.exitCode, output);
  const code = textOf(fault?.code);
  const isRefused = code === "denied" || code === "rejected";
  run.result(textOf(data.toolCallId), output, {
    error: data.success === false ? true : exit,
    at,
    synthetic: isRefused ? true : undefined,
  });
}

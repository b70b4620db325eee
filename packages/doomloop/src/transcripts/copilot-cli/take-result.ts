import { exitError } from "../exit-error.ts";
import { type ForeignRecord, recordOf, textOf } from "../foreign-value.ts";
import type { RunEvents } from "../run-events.ts";

const SHELL_ID = "\n<shellId: ";
const MAX_TAIL = 80;

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

/** The last line of a shell's output counts the shells, so it is another each time. */
function withoutShellId(output: unknown): unknown {
  if (typeof output !== "string") return output;
  const at = output.indexOf(SHELL_ID, Math.max(0, output.length - MAX_TAIL));
  return at < 0 ? output : output.slice(0, at);
}

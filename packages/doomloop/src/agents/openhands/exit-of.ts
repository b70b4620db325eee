import { type ForeignRecord, recordOf } from "../../transcripts/foreign-value.ts";
import { exitError } from "../../transcripts/shell-report.ts";

/** The exit code of a command that goes on. */
const RUNNING = -1;

/** Whether a command failed, by the exit code in an observation; undefined where it is not over. */
export function exitOf(observation: ForeignRecord | undefined, output: string | undefined): boolean | undefined {
  const code = observation?.exit_code ?? recordOf(observation?.metadata)?.exit_code;
  return code === RUNNING ? undefined : exitError(code, output ?? "");
}

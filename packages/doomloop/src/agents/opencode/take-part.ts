import { type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import { exitError } from "../../transcripts/shell-report.ts";

/** Takes a part of an answer. A call and its result are one part. */
export function takePart(run: RunEvents, part: ForeignRecord | undefined, at: number | undefined): void {
  if (part === undefined) return;
  if (part.type === "text" && part.synthetic !== true) run.text(textOf(part.text), startOf(part) ?? at);
  else if (part.type === "reasoning") run.reasoning(textOf(part.text), startOf(part) ?? at);
  else if (part.type === "tool") takeTool(run, part, at);
}

function takeTool(run: RunEvents, part: ForeignRecord, at: number | undefined): void {
  const tool = textOf(part.tool);
  const state = recordOf(part.state);
  if (tool === undefined || state === undefined) return;
  const id = textOf(part.callID);
  run.call(id, tool, state.input, startOf(state) ?? at);
  const end = timeOf(recordOf(state.time)?.end);
  if (state.status === "error") run.result(id, state.error, { error: true, at: end });
  else if (state.status === "completed") {
    const { metadata, output } = state;
    // What stands for no output is not output.
    const printed = output === "(no output)" ? "" : output;
    run.result(id, output, { error: exitError(recordOf(metadata)?.exit, printed), at: end });
  }
}

function startOf(value: ForeignRecord): number | undefined {
  return timeOf(recordOf(value.time)?.start);
}

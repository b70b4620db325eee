import { exitError } from "../exit-error.ts";
import { type ForeignRecord, recordOf, textOf, timeOf } from "../foreign-value.ts";
import type { RunEvents } from "../run-events.ts";
import { contentText } from "../tool-output.ts";

/** Takes an event of OpenHands' SDK. */
export function takeActionEvent(run: RunEvents, event: ForeignRecord): void {
  const at = timeOf(event.timestamp);
  const { kind } = event;
  if (kind === "MessageEvent") {
    const message = recordOf(event.llm_message);
    const text = contentText(message?.content);
    if (event.source === "user" || message?.role === "user") run.user(text, at);
    else {
      run.round(textOf(event.llm_response_id));
      run.text(text, at);
    }
  } else if (kind === "ActionEvent") takeAction(run, event, at);
  else if (kind === "ObservationEvent") takeObservation(run, event, at);
  else if (kind === "AgentErrorEvent") run.result(textOf(event.tool_call_id), event.error, { error: true, at });
  else if (kind === "UserRejectObservation") {
    run.result(textOf(event.tool_call_id), event.rejection_reason, { synthetic: true, at });
  } else if (kind === "Condensation") run.compaction(at);
}

/** Parallel calls of one answer share its id. */
function takeAction(run: RunEvents, event: ForeignRecord, at: number | undefined): void {
  run.round(textOf(event.llm_response_id));
  run.reasoning(textOf(event.reasoning_content), at);
  run.text(contentText(event.thought), at);
  const call = recordOf(event.tool_call);
  const made = recordOf(call?.function) ?? call;
  const tool = textOf(event.tool_name) ?? textOf(made?.name);
  if (tool !== undefined) run.call(textOf(event.tool_call_id), tool, made?.arguments ?? event.action, at);
}

function takeObservation(run: RunEvents, event: ForeignRecord, at: number | undefined): void {
  const observation = recordOf(event.observation);
  const output = observation?.content ?? observation?.output ?? event.observation;
  const exit = observation?.exit_code ?? recordOf(observation?.metadata)?.exit_code;
  const told = typeof observation?.is_error === "boolean" && observation.is_error ? true : undefined;
  run.result(textOf(event.tool_call_id), output, { error: told ?? exitError(exit, contentText(output) ?? ""), at });
}

import { type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { createSeenIds, type RunEvents } from "../../transcripts/run-events.ts";
import { exitError } from "../../transcripts/shell-report.ts";
import { contentText } from "../../transcripts/tool-output.ts";
import type { BaseState } from "./base-state.ts";

/** The exit code of a command that is still running. */
const RUNNING = -1;

/** Reads the events of OpenHands' SDK into a run. */
export function createActionEvents(run: RunEvents, state: BaseState | undefined): (event: ForeignRecord) => void {
  const begun = createSeenIds();

  /** Parallel calls of one answer share its id. */
  const beginAnswer = (event: ForeignRecord): void => {
    const id = textOf(event.llm_response_id);
    run.round(id);
    const usage = state?.usageOf(id);
    run.model(usage?.model);
    if (usage !== undefined) run.usage(usage);
  };

  const takeMessage = (event: ForeignRecord, at: number | undefined): void => {
    const message = recordOf(event.llm_message);
    const text = contentText(message?.content);
    if (event.source === "user" || message?.role === "user") run.user(text, at);
    else {
      beginAnswer(event);
      run.text(text, at);
    }
  };

  const takeAction = (event: ForeignRecord, at: number | undefined): void => {
    beginAnswer(event);
    run.reasoning(textOf(event.reasoning_content), at);
    run.text(contentText(event.thought), at);
    const call = recordOf(event.tool_call);
    const made = recordOf(call?.function) ?? call;
    const tool = textOf(event.tool_name) ?? textOf(made?.name);
    if (tool !== undefined) run.call(textOf(event.tool_call_id), tool, made?.arguments ?? event.action, at);
  };

  /** Reads another agent's call, which may be reported at its start and again at its end. */
  const takeForeignCall = (event: ForeignRecord, at: number | undefined): void => {
    const id = textOf(event.tool_call_id);
    const tool = textOf(event.tool_kind) ?? "tool";
    if (id === undefined) return;
    if (begun.add(id)) run.call(id, tool, event.raw_input ?? { title: event.title }, at);
    if (event.status !== "completed" && event.status !== "failed") return;
    const isFailed = event.is_error === true || event.status === "failed";
    run.result(id, event.raw_output ?? event.content, { error: isFailed, at });
    run.answered();
  };

  return (event) => {
    const at = timeOf(event.timestamp);
    const { kind } = event;
    if (kind === "MessageEvent") takeMessage(event, at);
    else if (kind === "ActionEvent") takeAction(event, at);
    else if (kind === "ObservationEvent") takeObservation(run, event, at);
    else if (kind === "ACPToolCallEvent") takeForeignCall(event, at);
    else if (kind === "AgentErrorEvent") run.result(textOf(event.tool_call_id), event.error, { error: true, at });
    else if (kind === "UserRejectObservation") {
      run.result(textOf(event.tool_call_id), event.rejection_reason, { synthetic: true, at });
    } else if (kind === "Condensation") run.compaction(at);
  };
}

function takeObservation(run: RunEvents, event: ForeignRecord, at: number | undefined): void {
  const observation = recordOf(event.observation);
  const output = observation?.content ?? observation?.output ?? event.observation;
  const isFailed = observation?.is_error === true ? true : undefined;
  const error = isFailed ?? exitOf(observation, contentText(output));
  run.result(textOf(event.tool_call_id), output, { error, at });
}

/** Whether a command failed, by the exit code in an observation. Undefined if it is still running. */
export function exitOf(observation: ForeignRecord | undefined, output: string | undefined): boolean | undefined {
  const code = observation?.exit_code ?? recordOf(observation?.metadata)?.exit_code;
  return code === RUNNING ? undefined : exitError(code, output ?? "");
}

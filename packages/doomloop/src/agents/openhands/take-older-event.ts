import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import { openaiUsage } from "../../transcripts/usage.ts";
import { exitOf } from "./action-events.ts";

/** Events that are not calls. They describe the agent's state, or what it was given at the start. */
const NO_CALLS = ["system", "change_agent_state", "recall", "null", "condensation_request"];

/** Reads an event from before the SDK: an action of the agent or the user, or an observation. */
export function takeOlderEvent(run: RunEvents, event: ForeignRecord): void {
  const at = timeOf(event.timestamp);
  const action = textOf(event.action);
  const args = recordOf(event.args);
  if (action === undefined) takeObservation(run, event, at);
  else if (action === "condensation") run.compaction(at);
  else if (event.source === "user") {
    if (action === "message") run.user(textOf(args?.content) ?? textOf(event.message), at);
  } else if (!NO_CALLS.includes(action)) takeAction(run, event, action, args, at);
}

function takeAction(
  run: RunEvents,
  event: ForeignRecord,
  action: string,
  args: ForeignRecord | undefined,
  at: number | undefined,
): void {
  const call = recordOf(event.tool_call_metadata);
  const response = recordOf(call?.model_response);
  run.round(textOf(response?.id));
  run.model(textOf(response?.model));
  const usage = recordOf(response?.usage);
  if (usage !== undefined)
    run.usage({ ...openaiUsage(usage), id: textOf(response?.id), model: textOf(response?.model) });
  takeThought(run, args?.thought, at);
  if (action === "message" || action === "finish" || action === "think") {
    run.text(textOf(args?.content) ?? textOf(args?.final_thought) ?? textOf(event.message), at);
    return;
  }
  const tool = textOf(call?.function_name) ?? action;
  run.call(idOf(event.id), tool, askedIn(call, response) ?? withoutThought(args), at);
}

/** A thought is a plain text, or has words and reasoning in two fields. */
function takeThought(run: RunEvents, thought: unknown, at: number | undefined): void {
  const parts = recordOf(thought);
  run.reasoning(textOf(parts?.reasoning_content), at);
  run.text(textOf(thought) ?? textOf(parts?.default), at);
}

/** What the model asked for. The arguments of the action contain more than that. */
function askedIn(call: ForeignRecord | undefined, response: ForeignRecord | undefined): unknown {
  const id = textOf(call?.tool_call_id);
  const message = recordOf(recordOf(listOf(response?.choices)[0])?.message);
  const asked = listOf(message?.tool_calls)
    .map(recordOf)
    .find((entry) => entry?.id === id);
  return id === undefined ? undefined : recordOf(asked?.function)?.arguments;
}

function withoutThought(args: ForeignRecord | undefined): unknown {
  if (args === undefined) return undefined;
  const { thought: _thought, ...rest } = args;
  return rest;
}

/** An observation names the action that caused it. */
function takeObservation(run: RunEvents, event: ForeignRecord, at: number | undefined): void {
  const id = idOf(event.cause);
  if (id === undefined || event.observation === "agent_state_changed" || event.observation === "recall") return;
  const isFailed = event.observation === "error" || event.success === false;
  run.result(id, event.content, {
    error: isFailed ? true : exitOf(recordOf(event.extras), textOf(event.content)),
    at,
    synthetic: event.observation === "user_rejected" ? true : undefined,
  });
}

function idOf(value: unknown): string | undefined {
  return typeof value === "number" ? `${value}` : textOf(value);
}

import { type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import type { Usages } from "./usages.ts";

/** Takes a model answer, with the calls that it asks for. */
export function takeAnswer(run: RunEvents, data: ForeignRecord, at: number | undefined, usages: Usages): void {
  run.round(textOf(data.messageId));
  run.model(textOf(data.model));
  run.reasoning(textOf(data.reasoningText), at);
  run.text(textOf(data.content), at);
  for (const entry of listOf(data.toolRequests)) {
    const request = recordOf(entry);
    const tool = textOf(request?.name);
    if (request !== undefined && tool !== undefined) run.call(textOf(request.toolCallId), tool, request.arguments, at);
  }
  const usage = usages.take(textOf(data.apiCallId));
  if (usage !== undefined) run.usage(usage);
}

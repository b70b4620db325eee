import { type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";
import { takeBlock } from "../../transcripts/take-message.ts";
import { anthropicUsage } from "../../transcripts/usage.ts";

/** Not a model's words: Claude Code's own, where a request failed. */
const NO_MODEL = "<synthetic>";

/** Takes a part of a model answer: Claude Code writes each content block as a record, and repeats the message's id and usage. */
export function takeAnswer(run: RunEvents, record: ForeignRecord): void {
  const message = recordOf(record.message)!;
  const model = textOf(message.model);
  if (record.isApiErrorMessage === true || model === NO_MODEL) return;
  const at = timeOf(record.timestamp);
  const id = textOf(message.id) ?? textOf(record.requestId);
  run.round(id);
  run.model(model);
  for (const entry of listOf(message.content)) takeBlock(run, recordOf(entry), at);
  const usage = recordOf(message.usage);
  if (usage === undefined) return;
  const costUsd = typeof record.costUSD === "number" ? record.costUSD : undefined;
  run.usage({ ...anthropicUsage(usage), id, model, costUsd });
}

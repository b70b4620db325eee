import { countOf, type ForeignRecord, listOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { RunEvents } from "../../transcripts/run-events.ts";

/** Takes a model answer. */
export function takeAnswer(run: RunEvents, message: ForeignRecord, at: number | undefined): void {
  const model = textOf(message.model);
  run.round();
  run.model(model);
  for (const entry of listOf(message.content)) {
    const block = recordOf(entry);
    if (block?.type === "text") run.text(textOf(block.text), at);
    else if (block?.type === "thinking") run.reasoning(textOf(block.thinking), at);
    else if (block?.type === "toolCall") {
      const tool = textOf(block.name);
      if (tool !== undefined) run.call(textOf(block.id), tool, block.arguments, at);
    }
  }
  const usage = recordOf(message.usage);
  if (usage === undefined) return;
  const cost = recordOf(usage.cost)?.total;
  run.usage({
    id: textOf(message.responseId),
    model,
    inputTokens: countOf(usage.input),
    outputTokens: countOf(usage.output),
    cacheReadTokens: countOf(usage.cacheRead),
    cacheWriteTokens: countOf(usage.cacheWrite),
    costUsd: typeof cost === "number" ? countOf(cost) : undefined,
  });
}

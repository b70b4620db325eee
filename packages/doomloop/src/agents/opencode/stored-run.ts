import { countOf, type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptSink } from "../../transcripts/reader.ts";
import { createRunEvents, type RunEvents } from "../../transcripts/run-events.ts";
import { exitError } from "../../transcripts/shell-report.ts";

/** A run in any of opencode's stores: facts, then messages in order, each with its parts. */
interface StoredRun {
  take(message: ForeignRecord, parts: readonly unknown[]): void;
  end(): void;
}

/** Creates the events of a stored run. */
export function createStoredRun(info: ForeignRecord, sink: TranscriptSink): StoredRun {
  const run = createRunEvents(textOf(info.id) ?? "run", sink);
  run.facts({
    project: textOf(info.directory),
    startedAt: timeOf(recordOf(info.time)?.created),
    agentVersion: textOf(info.version),
    parent: textOf(info.parentID) ?? textOf(info.parent_id),
  });
  return {
    take(message, parts) {
      const at = timeOf(recordOf(message.time)?.created);
      if (message.role === "assistant") takeAnswer(run, message, parts, at);
      else if (message.role === "user") takeUser(run, parts, at);
    },
    end: () => run.end(),
  };
}

function takeAnswer(run: RunEvents, message: ForeignRecord, parts: readonly unknown[], at: number | undefined): void {
  // opencode compacts with an answer that sums up the conversation.
  if (message.summary === true) {
    run.compaction(at);
    return;
  }
  const model = textOf(message.modelID);
  run.round(textOf(message.id));
  run.model(model);
  for (const part of parts) takePart(run, recordOf(part), at);
  const tokens = recordOf(message.tokens);
  if (tokens === undefined) return;
  const cache = recordOf(tokens.cache);
  run.usage({
    id: textOf(message.id),
    model,
    inputTokens: countOf(tokens.input),
    outputTokens: countOf(tokens.output) + countOf(tokens.reasoning),
    cacheReadTokens: countOf(cache?.read),
    cacheWriteTokens: countOf(cache?.write),
    costUsd: typeof message.cost === "number" ? countOf(message.cost) : undefined,
  });
}

/** Some words in the user's name are opencode's own, such as the content of a file. */
function takeUser(run: RunEvents, parts: readonly unknown[], at: number | undefined): void {
  for (const entry of parts) {
    const part = recordOf(entry);
    if (part?.type === "compaction") return;
    if (part?.type !== "text" || part.synthetic === true || part.ignored === true) continue;
    run.user(textOf(part.text), at);
    return;
  }
}

/** Reads a part of an answer. A call and its result are one part. */
function takePart(run: RunEvents, part: ForeignRecord | undefined, at: number | undefined): void {
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
    // This text stands for no output.
    const printed = output === "(no output)" ? "" : output;
    run.result(id, output, { error: exitError(recordOf(metadata)?.exit, printed), at: end });
  }
}

function startOf(value: ForeignRecord): number | undefined {
  return timeOf(recordOf(value.time)?.start);
}

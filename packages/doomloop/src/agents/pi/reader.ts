import { baseName, joinPath } from "../../transcripts/file-names.ts";
import { countOf, type ForeignRecord, recordOf, recordsOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { hasKey, recordsIn } from "../../transcripts/head-keys.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createOpenRuns, type RunEvents } from "../../transcripts/run-events.ts";
import { contentText } from "../../transcripts/tool-output.ts";

/** Runs of the pi coding agent. */
export const piReader: TranscriptReader = {
  agent: "pi",
  label: "pi",
  extensions: [".jsonl"],
  /** One folder for each project. */
  roots(environment) {
    const { env, home } = environment;
    const folder = env.PI_CODING_AGENT_DIR || joinPath(environment, home, ".pi", "agent");
    return [env.PI_CODING_AGENT_SESSION_DIR || joinPath(environment, folder, "sessions")];
  },
  isMine: (_path, head) =>
    recordsIn(head).some(
      ({ type, id, cwd }) => type === "session" && typeof id === "string" && typeof cwd === "string",
    ) || isEntry(head),
  open: parsePi,
};

/** Whether a file begins with an entry of the tree, because its first line was lost. */
function isEntry(head: string): boolean {
  return (
    hasKey(head, "type", '"message"') &&
    hasKey(head, "parentId", '"') &&
    hasKey(head, "message", "{") &&
    hasKey(head, "role", '"user"', '"assistant"', '"toolResult"')
  );
}

/** Reads a run of pi. Its entries form a tree, in which a branch continues an earlier entry. They are read in the order of the file. */
function parsePi(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const runs = createOpenRuns(sink);
  let current: RunEvents | undefined;

  const begin = (header: ForeignRecord): RunEvents => {
    current = runs.get(textOf(header.id) ?? baseName(source.path));
    // A session that it was forked from (`parentSession`) is not its parent.
    current.facts({ project: textOf(header.cwd), startedAt: timeOf(header.timestamp) });
    return current;
  };

  return {
    record(value) {
      const record = recordOf(value);
      const type = textOf(record?.type);
      if (record === undefined || type === undefined) return false;
      if (type === "session") {
        begin(record);
        return true;
      }
      const run = current ?? begin({});
      const at = timeOf(record.timestamp);
      if (type === "message") return takeMessage(run, recordOf(record.message), at);
      if (type === "model_change") run.model(textOf(record.modelId));
      else if (type === "compaction") run.compaction(at);
      return true;
    },
    end: () => runs.endAll(),
  };
}

function takeMessage(run: RunEvents, message: ForeignRecord | undefined, at: number | undefined): boolean {
  if (message === undefined) return false;
  const { role } = message;
  if (role === "assistant") takeAnswer(run, message, at);
  else if (role === "toolResult") {
    const error = typeof message.isError === "boolean" ? message.isError : undefined;
    run.result(textOf(message.toolCallId), message.content, { error, at });
  } else if (role === "user" || role === "bashExecution") run.user(contentText(message.content), at);
  return true;
}

/** Reads a model answer. */
function takeAnswer(run: RunEvents, message: ForeignRecord, at: number | undefined): void {
  const model = textOf(message.model);
  run.round();
  run.model(model);
  let id = textOf(message.responseId);
  for (const block of recordsOf(message.content)) {
    if (block.type === "text") run.text(textOf(block.text), at);
    else if (block.type === "thinking") run.reasoning(textOf(block.thinking), at);
    else if (block.type === "toolCall") {
      const tool = textOf(block.name);
      if (tool !== undefined) run.call(textOf(block.id), tool, block.arguments, at);
      id ??= textOf(block.id);
    }
  }
  const usage = recordOf(message.usage);
  if (usage === undefined) return;
  const cost = recordOf(usage.cost)?.total;
  run.usage({
    id,
    model,
    inputTokens: countOf(usage.input),
    outputTokens: countOf(usage.output),
    cacheReadTokens: countOf(usage.cacheRead),
    cacheWriteTokens: countOf(usage.cacheWrite),
    costUsd: typeof cost === "number" ? countOf(cost) : undefined,
  });
}

import { baseName, joinPath } from "../../transcripts/file-names.ts";
import { countOf, type ForeignRecord, listOf, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type {
  TranscriptParser,
  TranscriptReader,
  TranscriptSink,
  TranscriptSource,
  TranscriptUsage,
} from "../../transcripts/reader.ts";
import { createOpenRuns, type RunEvents } from "../../transcripts/run-events.ts";
import { exitError, shellReport } from "../../transcripts/shell-report.ts";

/** Chats of Qwen Code. */
export const qwenCodeReader: TranscriptReader = {
  agent: "qwen-code",
  label: "Qwen Code",
  extensions: [".jsonl"],
  /** One folder for each project, with `chats/` in it. Older versions used the same place as Gemini CLI. */
  roots(environment) {
    const { env, home } = environment;
    const folder = env.QWEN_RUNTIME_DIR || env.QWEN_HOME || joinPath(environment, home, ".qwen");
    return ["projects", "tmp"].map((name) => joinPath(environment, folder, name));
  },
  isMine: (_path, head) =>
    hasKey(head, "parentUuid", "null", '"') &&
    hasKey(head, "sessionId", '"') &&
    (hasKey(head, "parts", "[") || hasKey(head, "systemPayload", "{")) &&
    !hasKey(head, "isSidechain"),
  open: parseQwenCode,
};

/** Reads a chat of Qwen Code. A line is an answer, a result or words of the user, in the form of Google's API. */
function parseQwenCode(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const runs = createOpenRuns(sink);

  const runOf = (record: ForeignRecord): RunEvents => {
    const name = textOf(record.sessionId) ?? baseName(source.path);
    const isNew = !runs.has(name);
    const run = runs.get(name);
    if (isNew) {
      run.facts({
        project: textOf(record.cwd),
        startedAt: timeOf(record.timestamp),
        agentVersion: textOf(record.version),
      });
    }
    return run;
  };

  return {
    record(value) {
      const record = recordOf(value);
      const type = textOf(record?.type);
      if (record === undefined || type === undefined) return false;
      const at = timeOf(record.timestamp);
      const parts = listOf(recordOf(record.message)?.parts);
      if (type === "assistant") takeAnswer(runOf(record), record, parts, at);
      else if (type === "tool_result") takeResult(runOf(record), parts, recordOf(record.toolCallResult), at);
      else if (type === "user") {
        const words = parts.map((part) => textOf(recordOf(part)?.text)).find((text) => text !== undefined);
        if (words !== undefined) runOf(record).user(words, at);
      } else if (type === "system" && record.subtype === "chat_compression") runOf(record).compaction(at);
      return true;
    },
    end: () => runs.endAll(),
  };
}

function takeAnswer(run: RunEvents, record: ForeignRecord, parts: readonly unknown[], at: number | undefined): void {
  const id = textOf(record.uuid);
  const model = textOf(record.model);
  run.round(id);
  run.model(model);
  for (const entry of parts) {
    const part = recordOf(entry);
    const call = recordOf(part?.functionCall);
    const tool = textOf(call?.name);
    if (call !== undefined && tool !== undefined) run.call(textOf(call.id), tool, call.args, at);
    else if (part?.thought === true) run.reasoning(textOf(part.text), at);
    else run.text(textOf(part?.text), at);
  }
  const usage = recordOf(record.usageMetadata);
  if (usage !== undefined) run.usage({ ...usageOf(usage), id, model });
}

/** Cached tokens are part of the prompt here, thoughts are not part of the candidates. */
function usageOf(usage: ForeignRecord): TranscriptUsage {
  const cacheReadTokens = countOf(usage.cachedContentTokenCount);
  return {
    inputTokens: Math.max(0, countOf(usage.promptTokenCount) - cacheReadTokens),
    outputTokens: countOf(usage.candidatesTokenCount) + countOf(usage.thoughtsTokenCount),
    cacheReadTokens,
  };
}

/** Reads the results of a line: what the model saw, and how the call went according to Qwen Code. */
function takeResult(
  run: RunEvents,
  parts: readonly unknown[],
  told: ForeignRecord | undefined,
  at: number | undefined,
): void {
  for (const part of parts) {
    const response = recordOf(recordOf(part)?.functionResponse);
    if (response === undefined) continue;
    const { output, error: fault } = recordOf(response.response) ?? {};
    const report = shellReport(output ?? fault ?? response.response);
    const isFailed = told?.status === "error" || (output === undefined && fault !== undefined);
    run.result(textOf(response.id), report.output, {
      error: isFailed ? true : (shownError(told) ?? report.error),
      at,
      synthetic: told?.status === "cancelled" ? true : undefined,
    });
  }
}

/** What the user sees of a shell command has the exit code, even if the report to the model does not. */
function shownError(told: ForeignRecord | undefined): boolean | undefined {
  const shown = recordOf(told?.resultDisplay);
  return exitError(shown?.exitCode, shown?.output);
}

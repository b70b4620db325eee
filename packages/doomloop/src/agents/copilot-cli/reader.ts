import { joinPath } from "../../transcripts/file-names.ts";
import { countOf, type ForeignRecord, recordOf, recordsOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type {
  TranscriptParser,
  TranscriptReader,
  TranscriptSink,
  TranscriptSource,
  TranscriptUsage,
} from "../../transcripts/reader.ts";
import { createOpenRuns, type RunEvents } from "../../transcripts/run-events.ts";
import { exitError } from "../../transcripts/shell-report.ts";
import { withoutShellId } from "./hook.ts";

/** Events of GitHub's Copilot CLI and of its SDK. */
export const copilotCliReader: TranscriptReader = {
  agent: "copilot-cli",
  label: "Copilot CLI",
  extensions: [".jsonl"],
  /** One folder for each run, with `events.jsonl` in it. */
  roots(environment) {
    const { env, home } = environment;
    const folder = env.COPILOT_HOME || joinPath(environment, env.XDG_STATE_HOME || home, ".copilot");
    return [joinPath(environment, folder, "session-state")];
  },
  isMine: (_path, head) =>
    hasKey(head, "data", "{") &&
    hasKey(head, "type", '"session.', '"user.message"', '"assistant.') &&
    (hasKey(head, "parentId", "null", '"') || hasKey(head, "copilotVersion", '"')),
  open: parseCopilotCli,
};

const MAX_WAITING = 64;

/** Reads the events of Copilot CLI: one file, one run and its subagents. */
function parseCopilotCli(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const runs = createOpenRuns(sink);
  const usages = createUsages();
  let main = folderName(source.path);

  const runOf = (data: ForeignRecord, at: number | undefined): RunEvents => {
    const agent = textOf(data.parentToolCallId);
    const name = agent === undefined ? main : `${main}/${agent}`;
    const isNew = !runs.has(name);
    const run = runs.get(name);
    if (isNew) run.facts({ startedAt: at, ...(agent === undefined ? {} : { parent: main }) });
    return run;
  };

  return {
    record(value) {
      const record = recordOf(value);
      const type = textOf(record?.type);
      const data = recordOf(record?.data);
      if (record === undefined || type === undefined) return false;
      if (data === undefined) return true;
      const at = timeOf(record.timestamp);
      if (type === "session.start") {
        main = textOf(data.sessionId) ?? main;
        const run = runOf({}, at);
        const project = textOf(recordOf(data.context)?.cwd);
        run.facts({ project, startedAt: timeOf(data.startTime) ?? at, agentVersion: textOf(data.copilotVersion) });
        run.model(textOf(data.selectedModel));
      } else if (type === "user.message") runOf(data, at).user(textOf(data.content), at);
      else if (type === "assistant.message") takeAnswer(runOf(data, at), data, at, usages);
      else if (type === "tool.execution_complete") takeResult(runOf(data, at), data, at);
      else if (type === "session.usage_record" || type === "assistant.usage") usages.add(data);
      else if (type === "session.compaction_complete" || type === "session.truncation") runOf(data, at).compaction(at);
      return true;
    },
    end: () => runs.endAll(),
  };
}

/** The file has the same name in every run, so the folder names the run. */
function folderName(path: string): string {
  const parts = path.split(/[\\/]/);
  return parts.at(-2) || parts.at(-1) || "run";
}

/** Reads a model answer with its calls. */
function takeAnswer(run: RunEvents, data: ForeignRecord, at: number | undefined, usages: Usages): void {
  run.round(textOf(data.messageId));
  run.model(textOf(data.model));
  run.reasoning(textOf(data.reasoningText), at);
  run.text(textOf(data.content), at);
  for (const request of recordsOf(data.toolRequests)) {
    const tool = textOf(request.name);
    if (tool !== undefined) run.call(textOf(request.toolCallId), tool, request.arguments, at);
  }
  const usage = usages.take(textOf(data.apiCallId));
  if (usage !== undefined) run.usage(usage);
}

/** Reads the result of a call. A refused call fails with a special code. */
function takeResult(run: RunEvents, data: ForeignRecord, at: number | undefined): void {
  const fault = recordOf(data.error);
  const { content } = recordOf(data.result) ?? {};
  const output = withoutShellId(content ?? fault?.message);
  const exit = exitError(recordOf(data.shellExecution)?.exitCode, output);
  const code = textOf(fault?.code);
  const isRefused = code === "denied" || code === "rejected";
  run.result(textOf(data.toolCallId), output, {
    error: data.success === false ? true : exit,
    at,
    synthetic: isRefused ? true : undefined,
  });
}

/** The usage of answers. It comes before the answer, with the id of its request. */
interface Usages {
  add(data: ForeignRecord): void;
  /** The usage of a request. Without an id, the oldest that is left. */
  take(id: string | undefined): TranscriptUsage | undefined;
}

function createUsages(): Usages {
  const waiting = new Map<string, TranscriptUsage>();
  return {
    add(data) {
      const usage = recordOf(data.usage) ?? data;
      const id = textOf(usage.apiCallId) ?? `${waiting.size}`;
      waiting.set(id, { ...usageOf(usage), id: textOf(usage.apiCallId) });
      if (waiting.size > MAX_WAITING) waiting.delete(waiting.keys().next().value!);
    },
    take(id) {
      const key = id ?? waiting.keys().next().value ?? "";
      const usage = waiting.get(key);
      waiting.delete(key);
      return usage;
    },
  };
}

/** Cached tokens are part of the input here. The cost is left out, because it counts premium requests, not money. */
function usageOf(usage: ForeignRecord): TranscriptUsage {
  const cacheReadTokens = countOf(usage.cacheReadTokens);
  const cacheWriteTokens = countOf(usage.cacheWriteTokens);
  return {
    model: textOf(usage.model),
    inputTokens: Math.max(0, countOf(usage.inputTokens) - cacheReadTokens - cacheWriteTokens),
    outputTokens: countOf(usage.outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
  };
}

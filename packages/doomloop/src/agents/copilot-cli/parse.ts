import { type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createOpenRuns, type RunEvents } from "../../transcripts/run-events.ts";
import { takeAnswer } from "./take-answer.ts";
import { takeResult } from "./take-result.ts";
import { createUsages } from "./usages.ts";

/** Reads the events of Copilot CLI: one file, one run and its subagents. */
export function parseCopilotCli(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
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

/** The file is called the same in every run; its folder is not. */
function folderName(path: string): string {
  const parts = path.split(/[\\/]/);
  return parts.at(-2) || parts.at(-1) || "run";
}

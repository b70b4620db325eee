import { baseName } from "../../transcripts/file-names.ts";
import { type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createRunEvents, type RunEvents } from "../../transcripts/run-events.ts";
import { takeItem } from "./take-item.ts";
import { createUsages } from "./usages.ts";

const NO_META: ForeignRecord = {};

/** Reads a rollout of Codex CLI: one file, one run. */
export function parseCodex(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  let run: RunEvents | undefined;
  const usages = createUsages();

  /** A fork begins with a copy of its parent's records, also of its first: only the file's own first record counts. */
  const begin = (meta: ForeignRecord): RunEvents => {
    if (run !== undefined) return run;
    run = createRunEvents(textOf(meta.id) ?? baseName(source.path), sink);
    run.facts({
      project: textOf(meta.cwd),
      startedAt: timeOf(meta.timestamp),
      agentVersion: textOf(meta.cli_version),
      parent: parentOf(meta),
    });
    return run;
  };

  return {
    record(value) {
      const record = recordOf(value);
      if (record === undefined) return false;
      const { type } = record;
      const payload = recordOf(record.payload);
      if (payload === undefined) return takeBare(record, begin);
      if (type === "session_meta") begin(payload);
      else if (type === "turn_context") begin(payload).model(textOf(payload.model));
      else if (type === "compacted") begin(payload).compaction(timeOf(record.timestamp));
      else if (type === "response_item") takeItem(begin(NO_META), payload, timeOf(record.timestamp));
      else if (type === "token_usage_record" || type === "event_msg") {
        const usage = usages.read(type, payload);
        if (usage !== undefined) begin(NO_META).usage(usage);
        if (usage !== undefined && type === "token_usage_record") begin(NO_META).answered();
      }
      return true;
    },
    end: () => run?.end(),
  };
}

/** Until the middle of 2025 records were items themselves, and the first one told of the run. */
function takeBare(record: ForeignRecord, begin: (meta: ForeignRecord) => RunEvents): boolean {
  if (textOf(record.type) !== undefined) takeItem(begin(NO_META), record, undefined);
  else if (textOf(record.id) !== undefined && "instructions" in record) begin(record);
  else return textOf(record.record_type) !== undefined;
  return true;
}

/** A fork (`forked_from_id`) is a session of its own. */
function parentOf(meta: ForeignRecord): string | undefined {
  const spawn = recordOf(recordOf(recordOf(meta.source)?.subagent)?.thread_spawn);
  return textOf(spawn?.parent_thread_id) ?? textOf(meta.parent_thread_id);
}

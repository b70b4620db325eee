import { baseName } from "../../transcripts/file-names.ts";
import { countOf, recordOf, textOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createEventRun, type EventRun } from "./event-run.ts";

/** Reads a list of events (a trajectory), records with such a list (a benchmark's output), or one event a line. */
export function parseOpenhands(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const name = baseName(source.path);
  let lines: EventRun | undefined;

  const takeAll = (run: EventRun, events: readonly unknown[]): void => {
    for (const event of events) takeEntry(run, event);
    run.end();
  };

  return {
    record(value) {
      if (Array.isArray(value)) {
        takeAll(createEventRun(name, sink), value);
        return true;
      }
      const record = recordOf(value);
      if (record === undefined) return false;
      const events = record.history ?? record.events ?? record.trajectory ?? record.items;
      if (Array.isArray(events)) {
        const costUsd = countOf(recordOf(record.metrics)?.accumulated_cost);
        takeAll(createEventRun(textOf(record.instance_id) ?? textOf(record.id) ?? name, sink, { costUsd }), events);
        return true;
      }
      lines ??= createEventRun(name, sink);
      return lines.take(record);
    },
    end: () => lines?.end(),
  };
}

/** The oldest benchmarks wrote pairs of an action and its observation. */
function takeEntry(run: EventRun, entry: unknown): void {
  if (Array.isArray(entry)) for (const event of entry) run.take(event);
  else run.take(entry);
}

import { closeSync, readSync } from "node:fs";
import { baseName } from "../../transcripts/file-names.ts";
import { countOf, type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import { openRegularFile } from "../../transcripts/open-regular-file.ts";
import type { SkippedRecords, TranscriptParser, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createRecordReader } from "../../transcripts/record-reader.ts";
import { createRunEvents } from "../../transcripts/run-events.ts";
import { createActionEvents } from "./action-events.ts";
import type { BaseState } from "./base-state.ts";
import { takeOlderEvent } from "./take-older-event.ts";

const PIECE_BYTES = 262_144;

/** Reads a list of events (a trajectory), records with such a list (a benchmark's output), or one event for each line. */
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

/** Reads a trajectory, or the output of a benchmark. Throws as `node:fs` does. */
export function readOneFile(path: string, sink: TranscriptSink): SkippedRecords {
  const records = createRecordReader(parseOpenhands({ path }, sink), { layout: "any" });
  const { descriptor: file } = openRegularFile(path);
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer)) {
      records.push(buffer.subarray(0, length));
    }
  } finally {
    closeSync(file);
  }
  records.end();
  return records.skipped();
}

/** A run of OpenHands, event by event. */
interface EventRun {
  /** Reads an event. Returns false for anything else. */
  take(event: unknown): boolean;
  end(): void;
}

export interface EventRunOptions {
  /**
   * What the SDK saved beside the events.
   * @default nothing
   */
  readonly state?: BaseState | undefined;
  /**
   * The run that started this one.
   * @default none
   */
  readonly parent?: string | undefined;
  /**
   * What the whole run cost.
   * @default as the state, or the latest event, says
   */
  readonly costUsd?: number | undefined;
}

/** Creates the events of a run. Events of the SDK have a `kind`. Older ones are an `action` or an `observation`. */
export function createEventRun(name: string, sink: TranscriptSink, options: EventRunOptions = {}): EventRun {
  const { state, parent } = options;
  const run = createRunEvents(name, sink);
  const takeActionEvent = createActionEvents(run, state);
  let hasBegun = false;
  let costUsd = options.costUsd || state?.costUsd || 0;

  const begin = (event: ForeignRecord): void => {
    if (!hasBegun)
      run.facts({ startedAt: timeOf(event.timestamp), project: state?.project, model: state?.model, parent });
    hasBegun = true;
  };

  return {
    take(value) {
      const event = recordOf(value);
      if (event === undefined) return false;
      if (textOf(event.kind) !== undefined) {
        begin(event);
        takeActionEvent(event);
        return true;
      }
      if (textOf(event.action) === undefined && textOf(event.observation) === undefined) return "id" in event;
      begin(event);
      takeOlderEvent(run, event);
      // This is the sum so far.
      if (!options.costUsd) costUsd = Math.max(costUsd, countOf(recordOf(event.llm_metrics)?.accumulated_cost));
      return true;
    },
    end() {
      if (!hasBegun) return;
      if (costUsd > 0) run.facts({ total: { costUsd } });
      run.end();
    },
  };
}

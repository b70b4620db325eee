import type { AgentEvent } from "../../packages/doomloop/src/core/event.ts";
import { readTranscript } from "../../packages/doomloop/src/scan/read-transcript.ts";
import type {
  SessionFacts,
  SkippedRecords,
  TranscriptReader,
  TranscriptSink,
  TranscriptUsage,
} from "../../packages/doomloop/src/transcripts/reader.ts";
import { createRecordReader } from "../../packages/doomloop/src/transcripts/record-reader.ts";

/** Everything that a reader told of a file, by kind and in its order. */
export interface ReadItems {
  readonly order: { readonly kind: "session" | "event" | "usage" | "end"; readonly run: string; readonly at: number }[];
  readonly sessions: { readonly run: string; readonly facts: SessionFacts }[];
  readonly events: { readonly run: string; readonly event: AgentEvent; readonly at: number | undefined }[];
  readonly usages: { readonly run: string; readonly usage: TranscriptUsage }[];
  skipped: SkippedRecords;
  faults: number;
}

/** Reads a file as the scan does. */
export async function itemsOf(path: string, reader: TranscriptReader): Promise<ReadItems> {
  const items = nothing();
  return Object.assign(items, await readTranscript(path, reader, collector(items)));
}

/** Reads bytes that lie in no file. */
export function itemsOfBytes(
  pieces: readonly Buffer[],
  reader: TranscriptReader,
  path = "/home/dev/x.jsonl",
): ReadItems {
  const items = nothing();
  const records = createRecordReader(reader.open({ path }, collector(items)), { layout: reader.layout });
  for (const piece of pieces) records.push(piece);
  records.end();
  return Object.assign(items, { skipped: records.skipped(), faults: records.faults() });
}

function nothing(): ReadItems {
  const skipped = { malformed: 0, tooLong: 0 };
  return { order: [], sessions: [], events: [], usages: [], skipped, faults: 0 };
}

function collector({ order, sessions, events, usages }: ReadItems): TranscriptSink {
  return {
    session: (run, facts) => void order.push({ kind: "session", run, at: sessions.push({ run, facts }) - 1 }),
    event: (run, event, at) => void order.push({ kind: "event", run, at: events.push({ run, event, at }) - 1 }),
    usage: (run, usage) => void order.push({ kind: "usage", run, at: usages.push({ run, usage }) - 1 }),
    end: (run) => void order.push({ kind: "end", run, at: 0 }),
  };
}

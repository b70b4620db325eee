import { type ForeignRecord, listOf, recordOf, textOf } from "../foreign-value.ts";
import type { TranscriptParser, TranscriptSink } from "../reader.ts";
import { createSpanRuns, type SpanRuns } from "../span-runs.ts";
import { type Attributes, attributesOf } from "./attributes.ts";
import { spanOf } from "./span-of.ts";

/** Reads OTLP JSON. A conversation is a run where one is named, else a trace. */
export function parseOtel(sink: TranscriptSink): TranscriptParser {
  const runs = createSpanRuns(sink);
  return {
    record(value) {
      const record = recordOf(value);
      if (!Array.isArray(record?.resourceSpans)) return recordOf(value) !== undefined && !("resourceSpans" in record!);
      for (const entry of record.resourceSpans) takeResource(runs, recordOf(entry));
      return true;
    },
    end: () => runs.end(),
  };
}

function takeResource(runs: SpanRuns, resource: ForeignRecord | undefined): void {
  const service = attributesOf(recordOf(resource?.resource)?.attributes);
  const scopes = resource?.scopeSpans ?? resource?.instrumentationLibrarySpans;
  for (const scope of listOf(scopes)) {
    for (const entry of listOf(recordOf(scope)?.spans)) takeSpan(runs, recordOf(entry), service);
  }
}

function takeSpan(runs: SpanRuns, record: ForeignRecord | undefined, service: Attributes): void {
  if (record === undefined) return;
  const attributes = attributesOf(record.attributes);
  const span = spanOf(record, attributes);
  if (span === undefined) return;
  const conversation = textOf(attributes.get("gen_ai.conversation.id")) ?? textOf(attributes.get("session.id"));
  const name = conversation ?? textOf(record.traceId) ?? "trace";
  runs.add(name, span, {
    project: textOf(service.get("service.name")),
    agentVersion: textOf(service.get("service.version")),
  });
}

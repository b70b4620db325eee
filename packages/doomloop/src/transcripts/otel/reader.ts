import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseOtel } from "./parse.ts";
import { otelPaths } from "./paths.ts";

/** Spans of OpenTelemetry's conventions for generative AI, as OTLP JSON: a document, or one a line as collectors write. */
export const otel: TranscriptReader = {
  agent: "otel",
  label: "OpenTelemetry spans",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  roots: otelPaths,
  isMine: (_path, head) => hasKey(head, "resourceSpans", "["),
  open: (_source, sink) => parseOtel(sink),
};

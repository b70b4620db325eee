import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseLangfuse } from "./parse.ts";
import { langfusePaths } from "./paths.ts";

/** Observations exported from Langfuse: a trace with its observations, a list of observations, or one a line. */
export const langfuse: TranscriptReader = {
  agent: "langfuse",
  label: "Langfuse observations",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  roots: langfusePaths,
  isMine: (_path, head) =>
    !hasKey(head, "resourceSpans") &&
    (((hasKey(head, "traceId", '"') || (hasKey(head, "trace_id", '"') && !hasKey(head, "run_type"))) &&
      hasKey(head, "type", '"GENERATION"', '"SPAN"', '"TOOL"', '"EVENT"', '"AGENT"', '"CHAIN"')) ||
      hasKey(head, "observations", "[")),
  open: (_source, sink) => parseLangfuse(sink),
};

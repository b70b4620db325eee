import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseLangsmith } from "./parse.ts";
import { langsmithPaths } from "./paths.ts";

/** Runs exported from LangSmith: a list, or one a line. */
export const langsmith: TranscriptReader = {
  agent: "langsmith",
  label: "LangSmith runs",
  extensions: [".json", ".jsonl", ".ndjson"],
  layout: "any",
  roots: langsmithPaths,
  isMine: (_path, head) =>
    hasKey(head, "run_type", '"') &&
    (hasKey(head, "trace_id", '"') || hasKey(head, "dotted_order", '"') || hasKey(head, "start_time")),
  open: (_source, sink) => parseLangsmith(sink),
};

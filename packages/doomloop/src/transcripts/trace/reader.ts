import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseTrace } from "./parse.ts";
import { tracePaths } from "./paths.ts";

/** The project's own traces. */
export const trace: TranscriptReader = {
  agent: "trace",
  label: "trace",
  extensions: [".jsonl", ".ndjson"],
  roots: tracePaths,
  isMine(_path, head) {
    if (!head.trimStart().startsWith("{") || !hasKey(head, "run", '"')) return false;
    // A long task may stand between a run's name and its events.
    return hasKey(head, "events", "[") || (!head.includes("\n") && hasKey(head, "task", '"'));
  },
  open: (_source, sink) => parseTrace(sink),
};

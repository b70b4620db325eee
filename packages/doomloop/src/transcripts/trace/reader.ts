import type { AgentEvent } from "../../core/event.ts";
import { hasKey } from "../read-head.ts";
import type { TranscriptParser, TranscriptReader, TranscriptSink } from "../reader.ts";
import { isRun } from "./read-trace.ts";

/** doomloop's own traces. */
export const trace: TranscriptReader = {
  agent: "trace",
  label: "trace",
  extensions: [".jsonl", ".ndjson"],
  // These files have no default location. Users name them on the command line.
  roots: () => [],
  isMine(_path, head) {
    if (!head.trimStart().startsWith("{") || !hasKey(head, "run", '"')) return false;
    // A long task may come between a run's name and its events.
    return hasKey(head, "events", "[") || (!head.includes("\n") && hasKey(head, "task", '"'));
  },
  open: (_source, sink) => parseTrace(sink),
};

/** Reads a trace: one run per line, with exactly the recorded events. */
function parseTrace(sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      if (!isRun(value)) return false;
      const { run, model, outcome, events } = value;
      sink.session(run, { model: textOrNothing(model), outcome: textOrNothing(outcome) });
      // A trace may use any monotonic clock, so its times are not dates.
      for (const event of events) if (isEvent(event)) sink.event(run, event, undefined);
      sink.end(run);
      return true;
    },
    end() {},
  };
}

function isEvent(event: unknown): event is AgentEvent {
  return typeof event === "object" && event !== null && typeof (event as { type?: unknown }).type === "string";
}

function textOrNothing(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

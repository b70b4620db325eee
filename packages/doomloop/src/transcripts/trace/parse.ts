import type { AgentEvent } from "../../core/event.ts";
import type { TranscriptParser, TranscriptSink } from "../reader.ts";
import { isRun } from "./parse-run.ts";

/** Reads a trace: one run a line, with the events that were recorded and no others. */
export function parseTrace(sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      if (!isRun(value)) return false;
      const { run, model, outcome, events } = value;
      sink.session(run, { model: textOrNothing(model), outcome: textOrNothing(outcome) });
      // The clock of a trace is any that does not run backwards, so its times are no dates.
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

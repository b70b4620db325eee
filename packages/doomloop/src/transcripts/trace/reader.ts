import type { AgentEvent } from "../../core/event.ts";
import { recordOf, textOf } from "../foreign-value.ts";
import { hasKey } from "../head-keys.ts";
import type { TranscriptReader } from "../reader.ts";
import { isRun } from "./trace-run.ts";

/** doomloop's own traces: one run per line, with exactly the recorded events. */
export const trace: TranscriptReader = {
  agent: "trace",
  label: "trace",
  extensions: [".jsonl", ".ndjson"],
  roots: () => [],
  isMine(_path, head) {
    if (!head.trimStart().startsWith("{") || !hasKey(head, "run", '"')) return false;
    // A long task may come between a run's name and its events.
    return hasKey(head, "events", "[") || (!head.includes("\n") && hasKey(head, "task", '"'));
  },
  open: (_source, sink) => ({
    record(value) {
      if (!isRun(value)) return false;
      const { run, agent, model, outcome, events } = value;
      sink.session(run, { agent: textOf(agent), model: textOf(model), outcome: textOf(outcome) });
      for (const event of events) if (typeof recordOf(event)?.type === "string") sink.event(run, event, dateOf(event));
      sink.end(run);
      return true;
    },
    end() {},
  }),
};

/** A clock that began with the machine or the process needs 31 years to get here: such a time is a date, from 2001 on. */
const FIRST_DATE_MS = 1e12;
const LAST_DATE_MS = 8.64e15;

/** The time of an event, if it is a date. A trace may use any clock that does not run backwards. */
function dateOf(event: AgentEvent): number | undefined {
  const at: unknown = "at" in event ? event.at : undefined;
  return typeof at === "number" && at >= FIRST_DATE_MS && at <= LAST_DATE_MS ? at : undefined;
}

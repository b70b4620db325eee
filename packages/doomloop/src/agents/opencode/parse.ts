import { listOf, recordOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptParser, TranscriptSink } from "../../transcripts/reader.ts";
import { createStoredRun } from "./stored-run.ts";

/** Reads an exported run: one JSON document with the run's facts, and messages with their parts. */
export function parseOpencode(sink: TranscriptSink): TranscriptParser {
  return {
    record(value) {
      const { info, messages } = recordOf(value) ?? {};
      const facts = recordOf(info);
      if (facts === undefined || !Array.isArray(messages)) return false;
      const run = createStoredRun(facts, sink);
      for (const entry of messages) {
        const message = recordOf(entry);
        if (message !== undefined) run.take(recordOf(message.info) ?? {}, listOf(message.parts));
      }
      run.end();
      return true;
    },
    end() {},
  };
}

import type { AgentEvent } from "../../core/event.ts";
import { readFault, UsageError } from "../../system/usage-error.ts";
import type { SessionFacts, TranscriptReader } from "../../transcripts/reader.ts";
import { MAX_NAME } from "../close-run.ts";
import { readTranscript } from "../read-transcript.ts";

/** A run as recorded in its file. */
interface CollectedRun {
  readonly events: readonly AgentEvent[];
  readonly model: string | undefined;
}

interface OpenRun {
  readonly events: AgentEvent[];
  facts: SessionFacts;
}

/**
 * Reads all events of one run. A file may contain several runs with the same name: `before` is how many of them to
 * skip.
 */
export async function collectRun(
  path: string,
  reader: TranscriptReader,
  name: string,
  before: number,
): Promise<CollectedRun> {
  const runs: OpenRun[] = [];
  let open: OpenRun | undefined;
  const openOf = (run: string): OpenRun | undefined => {
    if (run.slice(0, MAX_NAME) !== name) return undefined;
    if (open !== undefined) return open;
    open = { events: [], facts: {} };
    runs.push(open);
    return open;
  };
  const sink = {
    session(run: string, facts: SessionFacts): void {
      const own = openOf(run);
      if (own !== undefined) own.facts = { ...own.facts, ...facts };
    },
    event: (run: string, event: AgentEvent) => void openOf(run)?.events.push(event),
    usage() {},
    end(run: string): void {
      if (run.slice(0, MAX_NAME) === name) open = undefined;
    },
  };
  try {
    await readTranscript(path, reader, sink);
  } catch (error) {
    // The scan also used what was read before the error.
    if (runs.length === 0) throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
  const recorded = runs.filter(({ events }) => events.length > 0);
  const { events, facts } = recorded[Math.min(before, recorded.length - 1)] ?? { events: [], facts: {} };
  return { events, model: facts.model };
}

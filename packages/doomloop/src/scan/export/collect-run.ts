import type { AgentEvent } from "../../core/event.ts";
import { readFault, UsageError } from "../../system/usage-error.ts";
import type { SessionFacts, TranscriptReader } from "../../transcripts/reader.ts";
import { MAX_NAME } from "../close-run.ts";
import { createPriceList } from "../costs/price-list.ts";
import { readTranscript } from "../read-transcript.ts";

/** A run as its file has it. */
interface CollectedRun {
  readonly events: readonly AgentEvent[];
  readonly model: string | undefined;
}

interface OpenRun {
  readonly events: AgentEvent[];
  facts: SessionFacts;
}

/** Reads all events of one run. A file may hold several of one name: `before` is how many of them to pass over. */
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
    // What was read before the file broke off is what was scanned.
    if (runs.length === 0) throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
  const told = runs.filter(({ events }) => events.length > 0);
  const { events, facts } = told[Math.min(before, told.length - 1)] ?? { events: [], facts: {} };
  return { events, model: facts.model };
}

/**
 * The name that the price list has for a model, which anybody can use; undefined for one that is not on it. Never the name that was given: what follows the
 * list's may be somebody's own.
 */
export function publicModel(model: string | undefined): string | undefined {
  return model === undefined ? undefined : createPriceList().ratesOf(model, undefined)?.entry;
}

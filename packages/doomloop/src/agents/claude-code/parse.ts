import { baseName } from "../../transcripts/file-names.ts";
import { type ForeignRecord, recordOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createOpenRuns, type RunEvents } from "../../transcripts/run-events.ts";
import { createCarriedRecords } from "./carried-record.ts";
import { createQueuedWords } from "./queued-words.ts";
import { createSidechains } from "./sidechains.ts";
import { takeAnswer } from "./take-answer.ts";
import { takeUser } from "./take-user.ts";
import { createToldCosts } from "./told-costs.ts";

/** Reads a session of Claude Code. */
export function parseClaudeCode(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const runs = createOpenRuns(sink);
  const sidechains = createSidechains();
  const costs = createToldCosts();
  const carriedRecords = createCarriedRecords(source.path);
  const queuedWords = createQueuedWords();
  const fallback = baseName(source.path);
  const sessionOf = (record: ForeignRecord): string =>
    textOf(record.sessionId) ?? textOf(record.session_id) ?? fallback;

  const nameOf = (record: ForeignRecord): { readonly session: string; readonly name: string } => {
    const session = sessionOf(record);
    const chain = sidechains.nameOf(record);
    return { session, name: chain === undefined ? session : `${session}/${chain}` };
  };

  const runOf = (record: ForeignRecord): RunEvents => {
    const { session, name } = nameOf(record);
    const isNew = !runs.has(name);
    const run = runs.get(name);
    if (isNew) {
      if (name !== session) costs.leaveOut(session);
      run.facts({
        project: textOf(record.cwd),
        startedAt: timeOf(record.timestamp),
        agentVersion: textOf(record.version) ?? textOf(record.claude_code_version),
        ...(name === session ? {} : { parent: session }),
      });
    }
    return run;
  };

  /** Before a run has begun, what is in the queue is what it begins with. */
  const takeQueued = (record: ForeignRecord): void => {
    for (const queued of queuedWords.before(record)) {
      const { name } = nameOf(queued.record);
      if (runs.has(name)) runs.get(name).interject(queued.words, timeOf(queued.record.timestamp));
    }
  };

  return {
    record(value) {
      const record = recordOf(value);
      if (record === undefined || typeof record.type !== "string") return false;
      takeQueued(record);
      if (record.type === "result") costs.take(sessionOf(record), record);
      if (record.type === "assistant") costs.goOn(sessionOf(record));
      if (record.type !== "progress") return take(record, runOf);
      const carried = carriedRecords.in(record);
      return carried === undefined || take(carried, runOf);
    },
    end() {
      for (const [session, costUsd] of costs.list()) {
        if (runs.has(session)) runs.get(session).facts({ total: { costUsd } });
      }
      runs.endAll();
    },
  };
}

/** Takes a record of a conversation; returns false if it is malformed. */
function take(record: ForeignRecord, runOf: (record: ForeignRecord) => RunEvents): boolean {
  const { type, subtype } = record;
  if (type === "assistant" || type === "user") {
    if (recordOf(record.message) === undefined) return false;
    if (type === "assistant") takeAnswer(runOf(record), record);
    else takeUser(runOf(record), record);
  } else if (type === "system") {
    if (subtype === "init") runOf(record);
    if (subtype === "compact_boundary") runOf(record).compaction(timeOf(record.timestamp));
  }
  return true;
}

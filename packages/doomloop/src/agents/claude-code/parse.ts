import { baseName } from "../../transcripts/file-names.ts";
import { countOf, type ForeignRecord, recordOf, recordsOf, textOf, timeOf } from "../../transcripts/foreign-value.ts";
import type { TranscriptParser, TranscriptSink, TranscriptSource } from "../../transcripts/reader.ts";
import { createOpenRuns, type RunEvents } from "../../transcripts/run-events.ts";
import { takeBlock } from "../../transcripts/take-message.ts";
import { anthropicUsage } from "../../transcripts/usage.ts";
import { createQueuedWords, isUserSpeaking } from "./queued-words.ts";
import { createCarriedRecords, createSidechains } from "./subagents.ts";

const MAX_SESSIONS = 256;

const REFUSALS: readonly unknown[] = ["deny", "denied", "reject", "rejected"];

/** Kinds of records that are read. */
const READ: ReadonlySet<unknown> = new Set(["assistant", "user", "system", "result", "queue-operation", "progress"]);

/** Stands for a model in words that Claude Code itself writes when a request fails. */
const NO_MODEL = "<synthetic>";

/** Reads a session of Claude Code. */
export function parseClaudeCode(source: TranscriptSource, sink: TranscriptSink): TranscriptParser {
  const runs = createOpenRuns(sink);
  const sidechains = createSidechains();
  const costs = createToldCosts();
  const carriedRecords = createCarriedRecords(source);
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

  /** Words in the queue before a run begins are its first prompt, which is read there. */
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
      if (isPassedOver(record)) return true;
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

/** Whether a record says nothing about the run, such as a snapshot. Of attachments, those with the user's words are read. */
function isPassedOver({ type, attachment }: ForeignRecord): boolean {
  return type === "attachment" ? recordOf(attachment)?.type !== "queued_command" : !READ.has(type);
}

/** Reads a record of a conversation. Returns false if it is malformed. */
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

/** Reads a part of a model answer. Claude Code writes each content block as a record, and repeats the message's id and usage. */
function takeAnswer(run: RunEvents, record: ForeignRecord): void {
  const message = recordOf(record.message)!;
  const model = textOf(message.model);
  if (record.isApiErrorMessage === true || model === NO_MODEL) return;
  const at = timeOf(record.timestamp);
  const id = textOf(message.id) ?? textOf(record.requestId);
  run.round(id);
  run.model(model);
  for (const block of recordsOf(message.content)) takeBlock(run, block, at);
  const usage = recordOf(message.usage);
  if (usage === undefined) return;
  const costUsd = typeof record.costUSD === "number" ? record.costUSD : undefined;
  run.usage({ ...anthropicUsage(usage), id, model, costUsd });
}

/** Reads a user's record, which has results or words. The words are the user's, or Claude Code's in the user's name. */
function takeUser(run: RunEvents, record: ForeignRecord): void {
  const at = timeOf(record.timestamp);
  const content = recordOf(record.message)?.content;
  if (typeof content === "string") {
    if (isUserSpeaking(record, content)) run.user(content, at);
    return;
  }
  const decision = recordOf(record.permissionDecision)?.decision;
  const isRefused = REFUSALS.includes(decision);
  let words: string | undefined;
  for (const block of recordsOf(content)) {
    if (block.type === "tool_result") {
      const error = typeof block.is_error === "boolean" ? block.is_error : undefined;
      const synthetic = isRefused ? true : undefined;
      run.result(textOf(block.tool_use_id), block.content, { error, at, synthetic });
    } else if (block.type === "text") words ??= textOf(block.text);
  }
  if (words !== undefined && isUserSpeaking(record, words)) run.user(words, at);
}

/** The costs of a stream's sessions, according to Claude Code. */
interface ToldCosts {
  /** Reads the record that ends a turn. */
  take(session: string, result: ForeignRecord): void;
  /** Notes an answer, which earlier costs do not include. */
  goOn(session: string): void;
  /** Leaves out a session whose cost includes subagents, because they are separate runs. */
  leaveOut(session: string): void;
  /** The costs of the sessions that are complete. */
  list(): Iterable<readonly [session: string, costUsd: number]>;
}

interface ToldCost {
  readonly before: number;
  readonly latest: number;
  isWhole: boolean;
}

/** A turn says what all turns of its process cost so far. If the figure falls, another process continues the session. */
function createToldCosts(): ToldCosts {
  const told = new Map<string, ToldCost>();
  const leftOut = new Set<string>();
  return {
    take(session, { total_cost_usd: total }) {
      const cost = countOf(total);
      if (cost === 0 || (told.size >= MAX_SESSIONS && !told.has(session))) return;
      const { before, latest } = told.get(session) ?? { before: 0, latest: 0 };
      told.set(session, { before: cost < latest ? before + latest : before, latest: cost, isWhole: true });
    },
    goOn(session) {
      const known = told.size === 0 ? undefined : told.get(session);
      if (known !== undefined) known.isWhole = false;
    },
    leaveOut(session) {
      if (leftOut.size < MAX_SESSIONS) leftOut.add(session);
    },
    *list() {
      for (const [session, { before, latest, isWhole }] of told)
        if (isWhole && !leftOut.has(session)) yield [session, before + latest] as const;
    },
  };
}

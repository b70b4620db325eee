import { looksSecret } from "../privacy/mask-secrets.ts";
import type { UniqueRun } from "./dedupe-runs.ts";
import { isOfWords } from "./describe-call.ts";
import { sumAmounts, sumLate } from "./report/amounts.ts";
import type { LoopSummary, SessionSummary, Totals } from "./report/report.ts";
import type { RunRecord } from "./run-record.ts";

/** What the report calls things. */
export interface ReportNames {
  /** The display name of an agent. */
  readonly nameOf: (agent: string) => string;
  /** The public name of a model. Undefined if it has none. */
  readonly modelOf: (model: string) => string | undefined;
}

/** The name of the agent that a transcript names, if it looks like one. Others may be a customer's, or a path. */
function shownAgent(agent: string | null, nameOf: ReportNames["nameOf"]): string | undefined {
  return agent !== null && AGENT_NAME.test(agent) && isOfWords(agent) ? nameOf(agent) : undefined;
}

const AGENT_NAME = /^[A-Za-z][\w.-]{0,39}$/;

/** Summarises a run for the report. */
export function sessionOf({ id, partOf, record, file }: UniqueRun, { nameOf, modelOf }: ReportNames): SessionSummary {
  const { agent, namedAgent, project, model, startedAt, endedAt, calls, tokens, costUsd, costFrom, loops } = record;
  return {
    id,
    partOf,
    agent,
    agentName: shownAgent(namedAgent, nameOf) ?? nameOf(agent),
    project: project === null ? null : folderName(project),
    model: model === null ? null : shownModel(model, modelOf),
    startedAt: isoTime(startedAt ?? undefined),
    endedAt: isoTime(endedAt ?? file.modifiedMs),
    isFileTime: endedAt === null,
    calls,
    tokens,
    costUsd,
    costFrom,
    loops: loops.filter(({ isPossible }) => !isPossible).length,
    possibleLoops: loops.filter(({ isPossible }) => isPossible).length,
  };
}

/** The last part of a path, for Windows and POSIX paths. */
function folderName(path: string): string {
  const parts = path.split(/[\\/]/);
  return parts.findLast((part) => part !== "") ?? path;
}

/** Sorts the latest session first. */
export function byTime(one: SessionSummary, other: SessionSummary): number {
  const [earlier, later] = [one.startedAt ?? one.endedAt ?? "", other.startedAt ?? other.endedAt ?? ""];
  if (earlier !== later) return earlier < later ? 1 : -1;
  return one.id < other.id ? -1 : 1;
}

interface NamedRun {
  readonly id: string;
  /** For a subagent's run, the id of the main agent's run. */
  readonly partOf: string | null;
  readonly record: RunRecord;
}

/** Adds up all runs. Each figure is the sum over the sessions and loops in the report. */
export function totalsOf(runs: readonly NamedRun[], loops: readonly LoopSummary[]): Totals {
  // Files finish in any order, and the order affects sums of fractions.
  const records = [...runs].sort((one, other) => (one.id < other.id ? -1 : 1)).map(({ record }) => record);
  const loopsByKind: Record<string, number> = {};
  for (const { kind } of loops) loopsByKind[kind] = (loopsByKind[kind] ?? 0) + 1;
  const sessionsWith = (has: (record: RunRecord) => boolean): number =>
    new Set(runs.filter(({ record }) => has(record)).map(({ id, partOf }) => partOf ?? id)).size;
  return {
    sessions: sessionsWith(() => true),
    agents: records.length,
    sessionsWithLoops: sessionsWith((record) => record.loops.some(({ isPossible }) => !isPossible)),
    calls: records.reduce((sum, { calls }) => sum + calls, 0),
    loops: loops.length,
    possibleLoops: records.reduce((sum, record) => sum + record.loops.filter(({ isPossible }) => isPossible).length, 0),
    loopsByKind,
    tokens: sumAmounts(records.map(({ tokens }) => tokens)),
    costUsd: sumAmounts(records.map(({ costUsd }) => costUsd)),
    unpricedSessions: sessionsWith(isUnpriced),
    afterOnset: sumLate(records.map(({ afterOnset }) => afterOnset)),
  };
}

function isUnpriced({ tokens, costUsd }: RunRecord): boolean {
  return tokens !== null && tokens.high > 0 && costUsd === null;
}

const LOCAL = "a local model";
const UNLISTED = "an unlisted model";

/** A file, an address of this machine, or a size as local servers write it: `qwen3:8b`. */
const LOCAL_MODEL =
  /^[./~]|^[A-Za-z]:\\|\.(?:gguf|ggml|safetensors|bin|onnx)$|localhost|127\.0\.0\.1|:\d{1,4}(?:\.\d)?[bm]\b|:latest$/i;

const IDENTIFIER = /^[A-Za-z\d][\w.:/@-]{0,119}$/;

/**
 * A model's name as a record keeps it: unchanged if it looks like a model's identifier. Others may be a path, or hold a
 * secret.
 */
export function keptModel(model: string): string {
  // Google writes a version after an @, which elsewhere means an address of mail.
  if (IDENTIFIER.test(model) && !looksSecret(model.replace("@", "-"))) return model;
  return LOCAL_MODEL.test(model) ? LOCAL : UNLISTED;
}

/** A model's public name. Other names may be account numbers or customers, and are not shown. */
export function shownModel(model: string, modelOf: (model: string) => string | undefined): string {
  return modelOf(model) ?? (model === LOCAL || LOCAL_MODEL.test(model) ? LOCAL : UNLISTED);
}

/** A time as ISO 8601. Null if it is missing or not a valid date. */
export function isoTime(at: number | undefined): string | null {
  if (at === undefined) return null;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

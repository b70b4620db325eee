import { closeSync, constants, fstatSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { OpinionVerdict, QuestionReason } from "../../core/question.ts";
import { makeFolder, readOwnFile, SAFELY } from "../../system/private-files.ts";
import { type ForeignRecord, recordOf } from "../../transcripts/foreign-value.ts";

/**
 * One line of the log: something that was said to an agent or to its user, what became of earlier words, that a person allowed a loop, or
 * that another model was asked.
 * It has no arguments and no results: words are our own, and names of tools look like identifiers.
 */
export interface LogEntry extends LogPlace {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What was done. `outcome`: nothing now, only what became of earlier words. */
  readonly said: Said | "outcome";
  readonly kind?: string;
  readonly tool?: string;
  /** How often the call was made by then. With `opinion`: how many calls the question was about. */
  readonly count?: number;
  readonly words?: string;
  /** How many of the earlier words to this session were followed by something else, and how many were not. */
  readonly obeyed?: number;
  readonly ignored?: number;
  /** With `opinion`: what another model said. `late`: too late; `none`: nothing that could be read. */
  readonly verdict?: LoggedVerdict;
  /** With `opinion`: why it was asked. */
  readonly why?: QuestionReason;
  /** With `opinion`: how long it took. */
  readonly ms?: number;
}

/** Whose session an entry is about. */
export interface LogPlace {
  /** The name of the agent. */
  readonly host?: string;
  /** A short name of the session. */
  readonly session?: string;
  /** The top of the project that the agent works in. */
  readonly folder?: string;
}

type Said = "words" | "question" | "refusal" | "end" | "start-over" | "allowed" | "opinion";
type LoggedVerdict = OpinionVerdict | "late" | "none";

/** The largest file of a month: some thousand lines. */
const MAX_BYTES = 2_000_000;
/** Several processes may append at the same time and exceed the limit. */
const MAX_READ_BYTES = MAX_BYTES + 65_536;
/** A path may have 4,096 characters. */
const MAX_LINE = 8_000;
const MAX_WORDS = 800;
const NAME = /^log-(\d{4}-\d{2})\.jsonl$/;
const VERSION = 1;
/** Older files are removed when a month begins. */
const KEPT_MS = 400 * 86_400_000;

/** Appends an entry with one small write, so that processes do not disturb each other. Throws if the disk does. */
export function appendToLog(state: string, { words, ...entry }: LogEntry): void {
  makeFolder(state);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFELY;
  const file = openSync(logFile(state, entry.at), flags, 0o600);
  try {
    const stats = fstatSync(file);
    // Opinions leave room for what was said.
    if (!stats.isFile() || stats.size >= (entry.said === "opinion" ? MAX_BYTES / 2 : MAX_BYTES)) return;
    if (stats.size === 0) removeOld(state, entry.at);
    const line = { v: VERSION, ...entry, ...(words !== undefined && { words: words.slice(0, MAX_WORDS) }) };
    writeSync(file, `${JSON.stringify(line)}\n`);
  } finally {
    closeSync(file);
  }
}

/** The entries of a range of time, oldest first. Lines that we did not write are ignored. */
export function readLog(state: string, since = 0, until = Number.POSITIVE_INFINITY): readonly LogEntry[] {
  return monthsIn(state)
    .filter((name) => !(Date.parse(`${NAME.exec(name)?.[1]}-01`) > until))
    .flatMap((name) => readOwnFile(join(state, name), MAX_READ_BYTES)?.split("\n") ?? [])
    .flatMap((line) => entryIn(line) ?? [])
    .filter(({ at }) => at >= since && at <= until);
}

function monthsIn(state: string): readonly string[] {
  try {
    return readdirSync(state)
      .filter((name) => NAME.test(name))
      .sort();
  } catch {
    return [];
  }
}

const SAID = new Set<unknown>(["words", "question", "refusal", "end", "start-over", "allowed", "outcome", "opinion"]);
const VERDICTS = new Set<unknown>(["stuck", "working", "unsure", "late", "none"] satisfies LoggedVerdict[]);
const REASONS = new Set<unknown>(["confirm", "hunch", "patrol"] satisfies QuestionReason[]);
const TEXTS = ["host", "session", "folder", "kind", "tool", "words"] as const;
const NUMBERS = ["count", "obeyed", "ignored", "ms"] as const;

function entryIn(line: string): LogEntry | undefined {
  const record = line === "" || line.length > MAX_LINE ? undefined : parsed(line);
  const { v, at, said } = record ?? {};
  if (record === undefined || v !== VERSION || typeof at !== "number" || !SAID.has(said)) return undefined;
  const texts = TEXTS.filter((name) => typeof record[name] === "string").map((name) => [name, record[name]]);
  const numbers = NUMBERS.filter((name) => isCount(record[name])).map((name) => [name, record[name]]);
  return {
    at,
    said: said as LogEntry["said"],
    ...Object.fromEntries([...texts, ...numbers]),
    ...(VERDICTS.has(record.verdict) && { verdict: record.verdict as LoggedVerdict }),
    ...(REASONS.has(record.why) && { why: record.why as QuestionReason }),
  };
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000;
}

function parsed(line: string): ForeignRecord | undefined {
  try {
    return recordOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** With one file for each month, none has to be rewritten while others append to it. */
export function logFile(state: string, at: number): string {
  return join(state, `log-${new Date(at).toISOString().slice(0, 7)}.jsonl`);
}

function removeOld(state: string, now: number): void {
  const oldest = new Date(now - KEPT_MS).toISOString().slice(0, 7);
  for (const name of monthsIn(state)) {
    if ((NAME.exec(name)?.[1] ?? oldest) < oldest) rmSync(join(state, name), { force: true });
  }
}

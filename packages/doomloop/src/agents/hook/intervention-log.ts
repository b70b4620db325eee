import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { OpinionVerdict, QuestionReason } from "../../core/question.ts";
import { makeFolder, readOwnFile, replaceFile, SAFELY } from "../../system/private-files.ts";
import { jsonIn, recordOf } from "../../transcripts/foreign-value.ts";

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
  /**
   * With `refusal`: how many calls of the loop were refused. The entry has the time and the words of the latest.
   * @default 1
   */
  readonly times?: number;
  /** How many of the earlier words to this session were followed by something else, and how many were not. */
  readonly obeyed?: number;
  readonly ignored?: number;
  /** With `end`, `alarm` and `start-over`: the latest checkpoint of the project, if there is one. */
  readonly checkpoint?: string;
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

type Said = "words" | "question" | "refusal" | "end" | "alarm" | "start-over" | "allowed" | "opinion";
type LoggedVerdict = OpinionVerdict | "late" | "none";

/** What a person who is not there wants to know: a run was ended, should be ended but cannot, or was told to start over. */
export const GRAVE: ReadonlySet<unknown> = new Set<Said>(["end", "alarm", "start-over"]);
/** The largest file of a month: some thousand lines. */
const MAX_BYTES = 2_000_000;
/** Several processes may append at the same time and exceed the limit. */
const MAX_READ_BYTES = MAX_BYTES + 65_536;
/** A path may have 4,096 characters. */
const MAX_LINE = 8_000;
const MAX_WORDS = 800;
/** Numbers in a line grow by at most so many characters while it counts up. */
const ROOM = 60;
/** Sessions whose latest refusal is known. */
const MAX_REFUSALS = 256;
const NAME = /^log-(\d{4}-\d{2})\.jsonl$/;
const VERSION = 1;
/** Older files are removed when a month begins. */
const KEPT_MS = 400 * 86_400_000;

/** Appends an entry with one small write, so that processes do not disturb each other. Throws if the disk does. */
export function appendToLog(state: string, entry: LogEntry): void {
  append(state, entry.at, lineOf(entry));
}

/** The log of one process, which counts up what it notes again and again. */
export interface InterventionLog {
  /** Notes an entry. The refusals of one loop are one entry that counts up. Throws if the disk does. */
  note(entry: LogEntry): void;
}

/** The latest refusal of a session, and where it stands. */
interface NotedRefusal {
  readonly entry: LogEntry;
  readonly file: string;
  readonly offset: number;
  readonly line: string;
}

export function createInterventionLog(state: string): InterventionLog {
  const refusals = new Map<string, NotedRefusal>();
  const remember = (session: string, noted: NotedRefusal): void => {
    refusals.delete(session);
    refusals.set(session, noted);
    if (refusals.size > MAX_REFUSALS) refusals.delete(refusals.keys().next().value!);
  };
  return {
    note(entry) {
      const session = JSON.stringify([entry.host, entry.session]);
      const before = refusals.get(session);
      if (entry.said !== "refusal") {
        if (entry.said !== "opinion" && entry.said !== "outcome") refusals.delete(session);
        return appendToLog(state, entry);
      }
      const isSame = before !== undefined && sameLoop(before.entry, entry) && before.file === logFile(state, entry.at);
      const counted = isSame ? countedUp(before.entry, entry) : entry;
      if (isSame) {
        const line = padded(lineOf(counted), before.line.length);
        if (line.length === before.line.length && overwrite(before, line))
          return remember(session, { ...before, entry: counted, line });
      }
      const text = lineOf(entry);
      const line = padded(text, text.length + ROOM);
      const offset = append(state, entry.at, line);
      remember(session, { entry, file: logFile(state, entry.at), offset, line });
    },
  };
}

function sameLoop(one: LogEntry, other: LogEntry): boolean {
  return one.kind === other.kind && one.tool === other.tool && one.folder === other.folder;
}

/** The latest words, with how often a call was refused and what became of all of them. */
function countedUp(before: LogEntry, entry: LogEntry): LogEntry {
  const sum = (name: "obeyed" | "ignored"): number => (before[name] ?? 0) + (entry[name] ?? 0);
  const outcome = {
    ...(sum("obeyed") > 0 && { obeyed: sum("obeyed") }),
    ...(sum("ignored") > 0 && { ignored: sum("ignored") }),
  };
  return { ...entry, ...outcome, times: (before.times ?? 1) + 1 };
}

function lineOf({ words, ...entry }: LogEntry): string {
  return `${JSON.stringify({ v: VERSION, ...entry, ...(words !== undefined && { words: words.slice(0, MAX_WORDS) }) })}\n`;
}

/** A line with spaces at its end, so that it can be written again with larger numbers. */
function padded(line: string, length: number): string {
  return `${line.slice(0, -1).padEnd(length - 1)}\n`;
}

/** Writes a line over the one that stands there. False if that one is no longer there. */
function overwrite({ file, offset, line: old }: NotedRefusal, line: string): boolean {
  const expected = Buffer.from(old);
  const bytes = Buffer.from(line);
  if (bytes.length !== expected.length) return false;
  const opened = openSync(file, constants.O_RDWR | SAFELY);
  try {
    const there = Buffer.alloc(expected.length);
    if (readSync(opened, there, 0, there.length, offset) !== there.length || !there.equals(expected)) return false;
    writeSync(opened, bytes, 0, bytes.length, offset);
    return true;
  } finally {
    closeSync(opened);
  }
}

/** Appends a line. Returns where it begins. */
function append(state: string, at: number, line: string): number {
  makeFolder(state);
  const path = logFile(state, at);
  makeRoom(path);
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFELY, 0o600);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return 0;
    if (stats.size === 0) removeOld(state, at);
    writeSync(file, line);
    // Another process may have appended in between. Then the line is not found there, and written again.
    return stats.size;
  } finally {
    closeSync(file);
  }
}

/** Removes the older half of a full log. What other models said goes first. */
function makeRoom(path: string): void {
  const size = lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size < MAX_BYTES) return;
  const lines = (readOwnFile(path, 2 * MAX_BYTES) ?? "").split("\n").filter((line) => line.length <= MAX_LINE);
  const kept: string[] = [];
  let bytes = 0;
  for (const line of lines.filter((one) => one !== "" && entryIn(one)?.said !== "opinion").reverse()) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > MAX_BYTES / 2) break;
    kept.push(`${line}\n`);
  }
  replaceFile(path, kept.reverse().join(""));
}

/** The entries of a range of time, oldest first. Lines that we did not write are ignored. */
export function readLog(state: string, since = 0, until = Number.POSITIVE_INFINITY): readonly LogEntry[] {
  return (
    monthsIn(state)
      .filter((name) => !(Date.parse(`${NAME.exec(name)?.[1]}-01`) > until))
      .flatMap((name) => readOwnFile(join(state, name), MAX_READ_BYTES)?.split("\n") ?? [])
      .flatMap((line) => entryIn(line) ?? [])
      .filter(({ at }) => at >= since && at <= until)
      // An entry that counts up has the time of its latest refusal.
      .sort((one, other) => one.at - other.at)
  );
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

const SAID = new Set<unknown>([
  "words",
  "question",
  "refusal",
  "end",
  "alarm",
  "start-over",
  "allowed",
  "outcome",
  "opinion",
]);
const CHECKPOINT = /^[0-9a-f]{12}$/;
const VERDICTS = new Set<unknown>(["stuck", "working", "unsure", "late", "none"] satisfies LoggedVerdict[]);
const REASONS = new Set<unknown>(["confirm", "hunch", "patrol"] satisfies QuestionReason[]);
const TEXTS = ["host", "session", "folder", "kind", "tool", "words"] as const;
const NUMBERS = ["count", "times", "obeyed", "ignored", "ms"] as const;

function entryIn(line: string): LogEntry | undefined {
  const record = line === "" || line.length > MAX_LINE ? undefined : recordOf(jsonIn(line));
  const { v, at, said } = record ?? {};
  if (record === undefined || v !== VERSION || typeof at !== "number" || !SAID.has(said)) return undefined;
  const texts = TEXTS.filter((name) => typeof record[name] === "string").map((name) => [name, record[name]]);
  const numbers = NUMBERS.filter((name) => isCount(record[name])).map((name) => [name, record[name]]);
  return {
    at,
    said: said as LogEntry["said"],
    ...Object.fromEntries([...texts, ...numbers]),
    ...(CHECKPOINT.test(String(record.checkpoint)) && { checkpoint: String(record.checkpoint) }),
    ...(VERDICTS.has(record.verdict) && { verdict: record.verdict as LoggedVerdict }),
    ...(REASONS.has(record.why) && { why: record.why as QuestionReason }),
  };
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 1_000_000;
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

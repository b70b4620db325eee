import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { MAX_NUDGE_BYTES, monthOf } from "../agents/hook/count-nudges.ts";
import { type ForeignRecord, recordOf, textOf } from "../transcripts/foreign-value.ts";
import type { HookTally } from "./report/report.ts";
import type { TimeRange } from "./time-range.ts";

const DAY_MS = 86_400_000;
/** The lines that hooks write have about 100 characters. */
const MAX_LINE = 300;
/** A line never reports the result of more nudges than this. */
const MAX_NUDGES = 100;
/** Several hooks may append at the same time and exceed the limit. */
const MAX_BYTES = MAX_NUDGE_BYTES + 65_536;
const NOTHING: HookTally = { words: 0, questions: 0, refusals: 0, ends: 0, obeyed: 0, ignored: 0, allowed: 0 };
const COUNTED: ReadonlyMap<unknown, keyof HookTally> = new Map([
  ["words", "words"],
  ["question", "questions"],
  ["refusal", "refusals"],
  ["end", "ends"],
  ["allowed", "allowed"],
]);

/**
 * Adds up what hooks counted on the days of a range. Undefined if they counted nothing. Ignores lines that hooks did
 * not write.
 */
export function readHookTally(state: string, range: Pick<TimeRange, "since" | "until">): HookTally | undefined {
  const names = namesIn(state).filter((name) => monthOf(name) !== undefined);
  const tally = { ...NOTHING };
  let hasAny = false;
  for (const text of names.map((name) => readText(join(state, name)))) {
    for (const line of text?.split("\n") ?? []) {
      const record = readLine(line);
      if (record === undefined || !isWithin(record.day, range)) continue;
      hasAny = true;
      const said = COUNTED.get(record.said);
      if (said !== undefined) tally[said]++;
      tally.obeyed += numberOf(record.obeyed);
      tally.ignored += numberOf(record.ignored);
    }
  }
  return hasAny ? tally : undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Reads a regular file, up to the size that hooks write. Does not follow links or wait for pipes. */
function readText(path: string): string | undefined {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(file).isFile()) return undefined;
      const buffer = Buffer.alloc(MAX_BYTES);
      return buffer.toString("utf8", 0, readSync(file, buffer, 0, MAX_BYTES, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function readLine(line: string): ForeignRecord | undefined {
  if (line === "" || line.length > MAX_LINE) return undefined;
  try {
    const record = recordOf(JSON.parse(line));
    return record?.v === 1 ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Counts whole days, in UTC. */
function isWithin(day: unknown, { since = -Infinity, until = Infinity }: Pick<TimeRange, "since" | "until">): boolean {
  const text = textOf(day) ?? "";
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return start + DAY_MS > since && start <= until;
}

function numberOf(value: unknown): number {
  return Number.isInteger(value) && (value as number) > 0 ? Math.min(value as number, MAX_NUDGES) : 0;
}

import { readSettings, textOfSettings, writeSettings } from "../../agents/settings/settings-file.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { LoopSummary } from "../report/report.ts";

/** A range of calls in a session. */
type Place = Pick<LoopSummary, "session" | "onset" | "end">;

/** A user's verdict on a loop. Later scans match it by session and calls, because ids may change. */
interface Mark extends Place {
  readonly id: string;
  readonly kind: string;
  readonly isRight: boolean;
}

/** A loop with the user's verdict. Undefined if there is none. */
export interface JudgedLoop extends LoopSummary {
  readonly isRight: boolean | undefined;
}

const VERSION = 1;

/**
 * Reads the marks in a file. Returns an empty list if the file does not exist. Throws a `UsageError` if it contains
 * something else.
 */
export function readMarks(path: string): readonly Mark[] {
  const text = textOfSettings(readSettings(path));
  if (text === "") return [];
  let value: { version?: unknown; marks?: unknown } | undefined;
  try {
    value = JSON.parse(text ?? "") as typeof value;
  } catch {
    // Reported below, so that a foreign file is never overwritten.
  }
  if (value?.version === VERSION && Array.isArray(value.marks) && value.marks.every(isMark)) return value.marks;
  throw new UsageError(`${path}: marks of version ${VERSION} are required`);
}

function isMark(value: unknown): value is Mark {
  const { id, session, kind, onset, end, isRight } = (value ?? {}) as Partial<Mark>;
  const hasTexts = [id, session, kind].every((text) => typeof text === "string");
  return hasTexts && typeof onset === "number" && typeof end === "number" && typeof isRight === "boolean";
}

/** Writes marks. A later mark replaces earlier ones on the same loop. */
export function writeMarks(path: string, marks: readonly Mark[]): void {
  const kept = marks.filter((mark, at) => !marks.slice(at + 1).some((later) => isSamePlace(mark, later)));
  writeSettings(
    readSettings(path),
    Buffer.from(`${JSON.stringify({ version: VERSION, marks: kept }, undefined, 2)}\n`),
  );
}

export function markOf({ id, session, kind, onset, end }: LoopSummary, isRight: boolean): Mark {
  return { id, session, kind, onset, end, isRight };
}

export function judgeBy(marks: readonly Mark[], loops: readonly LoopSummary[]): readonly JudgedLoop[] {
  return loops.map((loop) => ({ ...loop, isRight: marks.findLast((mark) => isSamePlace(mark, loop))?.isRight }));
}

/**
 * Whether two ranges are about the same loop: they have at least half of their calls in common. Another loop may lie in
 * a gap between its calls.
 */
function isSamePlace(one: Place, other: Place): boolean {
  const both = Math.min(one.end, other.end) - Math.max(one.onset, other.onset) + 1;
  const all = Math.max(one.end, other.end) - Math.min(one.onset, other.onset) + 1;
  return one.session === other.session && 2 * both >= all;
}

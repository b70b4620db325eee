import { readSettings, textOfSettings, writeSettings } from "../../agents/settings/settings-file.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { LoopSummary } from "../report/report.ts";

/** A range of calls in a session. */
type Place = Pick<LoopSummary, "session" | "onset" | "end">;

/** A range of calls with loops. Loops that overlap or touch form one stretch, so that a user judges them once. */
export interface Stretch extends Place {
  /** Most expensive first. */
  readonly loops: readonly LoopSummary[];
}

/** A user's verdict on a stretch. Later scans match it by session and calls, because ids may change. */
interface Mark extends Place {
  readonly id: string;
  readonly kind: string;
  readonly isRight: boolean;
}

/** A stretch with the user's verdict. Undefined if there is none. */
export interface JudgedStretch extends Stretch {
  readonly isRight: boolean | undefined;
}

const VERSION = 1;

/** Joins loops into stretches. Both lists have the most expensive first. */
export function stretchesOf(loops: readonly LoopSummary[]): readonly Stretch[] {
  const places: (Place & { end: number })[] = [];
  for (const { session, onset, end } of [...loops].sort((one, other) => one.onset - other.onset)) {
    const touched = places.findLast((place) => place.session === session && onset <= place.end + 1);
    if (touched === undefined) places.push({ session, onset, end });
    else touched.end = Math.max(touched.end, end);
  }
  return places
    .map((place) => ({ ...place, loops: loops.filter((loop) => isSamePlace(loop, place)) }))
    .sort((one, other) => loops.indexOf(one.loops[0]!) - loops.indexOf(other.loops[0]!));
}

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

/** Writes marks. A later mark replaces earlier ones on the same stretch. */
export function writeMarks(path: string, marks: readonly Mark[]): void {
  const kept = marks.filter((mark, at) => !marks.slice(at + 1).some((later) => isSamePlace(mark, later)));
  writeSettings(
    readSettings(path),
    Buffer.from(`${JSON.stringify({ version: VERSION, marks: kept }, undefined, 2)}\n`),
  );
}

export function markOf({ session, onset, end, loops }: Stretch, isRight: boolean): Mark {
  const { id, kind } = loops[0]!;
  return { id, session, kind, onset, end, isRight };
}

export function judgeBy(marks: readonly Mark[], stretches: readonly Stretch[]): readonly JudgedStretch[] {
  return stretches.map((stretch) => ({
    ...stretch,
    isRight: marks.findLast((mark) => isSamePlace(mark, stretch))?.isRight,
  }));
}

/** Whether two ranges have a call in common. */
function isSamePlace(one: Place, other: Place): boolean {
  return one.session === other.session && one.onset <= other.end && one.end >= other.onset;
}

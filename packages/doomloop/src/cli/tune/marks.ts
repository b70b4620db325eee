import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { readFault } from "../read-fault.ts";
import { UsageError } from "../usage-error.ts";

/** A finding that somebody judged. It is found again by its session and its place, whatever it is called then. */
export interface Mark {
  readonly id: string;
  readonly session: string;
  readonly kind: string;
  readonly onset: number;
  readonly end: number;
  readonly isRight: boolean;
}

const VERSION = 1;

/** Reads the marks of a file; none if there is no such file. Throws a `UsageError` for one that holds something else. */
export function readMarks(path: string): readonly Mark[] {
  if (!existsSync(path)) return [];
  let value: { version?: unknown; marks?: unknown };
  try {
    value = JSON.parse(readFileSync(path, "utf8")) as typeof value;
  } catch (error) {
    throw new UsageError(`cannot read ${path}: ${readFault(error)}`, { cause: error });
  }
  if (value?.version !== VERSION || !Array.isArray(value.marks) || !value.marks.every(isMark)) {
    throw new UsageError(`${path}: marks of version ${VERSION} are required`);
  }
  return value.marks;
}

/** Writes marks, all or nothing. */
export function writeMarks(path: string, marks: readonly Mark[]): void {
  const unfinished = `${path}.${process.pid}`;
  try {
    writeFileSync(unfinished, `${JSON.stringify({ version: VERSION, marks }, undefined, 2)}\n`);
    renameSync(unfinished, path);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}

function isMark(value: unknown): value is Mark {
  if (typeof value !== "object" || value === null) return false;
  const { id, session, kind, onset, end, isRight } = value as Partial<Mark>;
  const hasTexts = [id, session, kind].every((text) => typeof text === "string");
  return hasTexts && typeof onset === "number" && typeof end === "number" && typeof isRight === "boolean";
}

import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";
import type { PlannedFile } from "./plan-restore.ts";
import type { RawPath } from "./raw-path.ts";
import { writeSafely } from "./write-safely.ts";

/** Everything that a restore is going to do. It is written to disk before anything changes. */
export interface RestorePlan {
  /** Eight hexadecimal digits, part of the name of every temporary file of the restore. */
  readonly id: string;
  readonly kind: "restore" | "undo";
  /** The checkpoint to restore. */
  readonly target: string;
  /** The checkpoint with the files as they were before the restore. */
  readonly safety: string;
  readonly files: readonly PlannedFile[];
  /** Folders that stay even if they become empty. */
  readonly staying: readonly RawPath[];
  /** Empty folders that a file had replaced, and that are created again. */
  readonly folders: readonly RawPath[];
  /** Permissions of new folders that are not the usual ones. */
  readonly permissions?: readonly (readonly [RawPath, number])[];
}

/** The outcome for one file of the plan. */
export interface FileOutcome {
  /** The names under which other versions of the file were saved beside it. */
  readonly kept?: readonly RawPath[];
  /** Why the file was left as it was. */
  readonly leftBecause?: string;
}

/** A restore that has begun, and its progress. */
export interface RestoreJournal {
  readonly plan: RestorePlan;
  readonly outcomes: Map<number, FileOutcome>;
  /** Records that a file of the plan is done. */
  note(at: number, outcome: FileOutcome): void;
  /** Deletes the journal when everything is done. */
  end(): void;
}

const NAME = "restore.journal";

/** Writes a plan to disk. From now on, this process or the next one carries it out. */
export function beginJournal(folder: string, plan: RestorePlan): RestoreJournal {
  writeSafely(join(folder, NAME), line(plan));
  return journalOf(folder, plan, new Map());
}

/** The journal of a restore that was interrupted; undefined if there is none. */
export function openJournal(folder: string): RestoreJournal | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, NAME), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const [first = "", ...rest] = text.split("\n");
  const plan = read<RestorePlan>(first);
  if (plan === undefined) {
    const path = join(folder, NAME);
    throw new DoomloopError("workspace-fault", `workspace: ${path} is damaged: look at the files and remove it`);
  }
  const notes = rest.map((each) => read<[number, FileOutcome]>(each)).filter((note) => note !== undefined);
  return journalOf(folder, plan, new Map(notes));
}

function journalOf(folder: string, plan: RestorePlan, outcomes: Map<number, FileOutcome>): RestoreJournal {
  const path = join(folder, NAME);
  return {
    plan,
    outcomes,
    note(at, outcome) {
      outcomes.set(at, outcome);
      // The newline comes first: a line that was cut off fails its checksum, and the next one is still readable.
      appendFileSync(path, `\n${line([at, outcome])}`);
    },
    end: () => rmSync(path, { force: true }),
  };
}

function line(value: unknown): string {
  const text = JSON.stringify(value);
  return `${sumOf(text)} ${text}`;
}

function read<Value>(text: string): Value | undefined {
  const value = text.slice(17);
  return text.slice(0, 16) === sumOf(value) ? (JSON.parse(value) as Value) : undefined;
}

function sumOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

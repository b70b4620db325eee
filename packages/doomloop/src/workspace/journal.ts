import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";
import type { PlannedFile } from "./plan-restore.ts";
import type { RawPath } from "./raw-path.ts";
import { writeSafely } from "./write-safely.ts";

/** All that a restore is going to do, written down before it does anything. */
export interface RestorePlan {
  /** Eight hexadecimal digits, part of the name of every file that the restore makes for a moment. */
  readonly id: string;
  readonly kind: "restore" | "undo";
  /** The checkpoint that is gone back to. */
  readonly target: string;
  /** The checkpoint that has what was there before. */
  readonly safety: string;
  readonly files: readonly PlannedFile[];
  /** Folders that stay although nothing is in them. */
  readonly staying: readonly RawPath[];
  /** Empty folders that a file had taken the place of, and that come back. */
  readonly folders: readonly RawPath[];
  /** Permissions of folders that are narrower than usual, for those that are made. */
  readonly permissions?: readonly (readonly [RawPath, number])[];
}

/** What became of one file of the plan. */
export interface FileOutcome {
  /** Where other versions of the file were found, the names under which they lie beside it now. */
  readonly kept?: readonly RawPath[];
  /** Why the file was left as it is. */
  readonly leftBecause?: string;
}

/** A restore that began, and how far it came. */
export interface Journal {
  readonly plan: RestorePlan;
  readonly outcomes: Map<number, FileOutcome>;
  /** Writes down that a file of the plan is done. */
  note(at: number, outcome: FileOutcome): void;
  /** Forgets the journal: all is done, and written down elsewhere. */
  end(): void;
}

const NAME = "restore.journal";

/** Writes down a plan. From now on it is carried out, by this process or by the next one. */
export function beginJournal(folder: string, plan: RestorePlan): Journal {
  writeSafely(join(folder, NAME), line(plan));
  return journalOf(folder, plan, new Map());
}

/** The journal of a restore that was cut short; undefined if there is none. */
export function openJournal(folder: string): Journal | undefined {
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

function journalOf(folder: string, plan: RestorePlan, outcomes: Map<number, FileOutcome>): Journal {
  const path = join(folder, NAME);
  return {
    plan,
    outcomes,
    note(at, outcome) {
      outcomes.set(at, outcome);
      // A line that was cut off has no right sum, and does not spoil the next one.
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

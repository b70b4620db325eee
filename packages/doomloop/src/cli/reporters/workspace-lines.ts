import { count } from "../../scan/report/words.ts";
import { printable } from "../../system/printable.ts";
import type { Checkpoint, RestoreReport } from "../../workspace/index.ts";
import type { RestoredFile } from "../../workspace/restore.ts";
import type { LeftOutSummary } from "../../workspace/store.ts";
import { type Column, layOut, wrapLines } from "../terminal/columns.ts";
import { timeAgo } from "../terminal/time-ago.ts";

const COLUMNS: readonly Column[] = [
  { heading: "id" },
  { heading: "made" },
  { heading: "files", align: "right" },
  { heading: "label", minimum: 12 },
];

const MAX_NAMED = 5;

interface RestoreLinesOptions {
  readonly isDryRun: boolean;
  /** Whether only some paths were asked for. */
  readonly isPart: boolean;
  /** The command that undoes the restore. */
  readonly undoCommand: string;
  /** The terminal's width. Undefined if the output is not a terminal. */
  readonly width?: number | undefined;
}

interface RestoreLines {
  readonly data: string;
  /** Things the user should know. */
  readonly messages: string;
}

const SIGNS: Readonly<Record<RestoredFile["change"], string>> = { created: "+", deleted: "-", changed: "~" };

const HEAD_MOVED =
  "HEAD has moved since this checkpoint: files committed since then will show as changed or deleted.\n";

/** Describes what a restore did, file by file, and how to undo it. */
export function tellRestore(
  report: RestoreReport,
  { isDryRun, isPart, undoCommand, width }: RestoreLinesOptions,
): RestoreLines {
  const { checkpoint, safety, changes, left, leftOut, hasHeadMoved } = report;
  const now = Date.now();
  // The time of the latest change tells people's own edits from those of an agent that has ended.
  const when = (at: number | undefined) => (isDryRun && at !== undefined ? `, last changed ${timeAgo(at, now)}` : "");
  const files = changes.map(
    ({ path, change, changedAt }) => `  ${SIGNS[change]} ${printable(path)}${when(changedAt)}\n`,
  );
  const all = isPart
    ? `those files are already as in checkpoint ${checkpoint}, or are not in it`
    : `all files are already as in checkpoint ${checkpoint}`;
  const done = isDryRun ? "would be restored" : "restored";
  const head =
    changes.length === 0
      ? `Nothing ${left.length === 0 ? `to restore: ${all}` : `${done} to checkpoint ${checkpoint}: the differences are left as they are`}.\n`
      : `${changesDone(changes, isDryRun)} to match checkpoint ${checkpoint}\n(+ added, - deleted, ~ changed):\n`;
  const undoing =
    safety === undefined ? "" : `The files as they were are checkpoint ${safety}.\nTo undo: ${undoCommand}\n`;
  return {
    data: `${wrapLines(head, width)}${files.join("")}${undoing}`,
    messages: wrapLines(
      `${hasHeadMoved && changes.length > 0 ? HEAD_MOVED : ""}${tellLeft(left)}${tellLeftOut(leftOut)}`,
      width,
    ),
  };
}

/** What was done to how many files: `3 files restored and 25 deleted`. */
function changesDone(changes: readonly RestoredFile[], isDryRun: boolean): string {
  const { restored, deleted } = numbersOf(changes);
  const be = isDryRun ? "would be " : "";
  if (restored === 0) return `${count(deleted, "file")} ${be}deleted`;
  return `${count(restored, "file")} ${be}restored${deleted === 0 ? "" : ` and ${count(deleted)} deleted`}`;
}

/** Asks for a restore: `restore 3 files and delete 25`. */
export function restoreQuestion({ checkpoint, changes }: RestoreReport): string {
  const { restored, deleted } = numbersOf(changes);
  const steps = [
    ...(restored === 0 ? [] : [`restore ${count(restored, "file")}`]),
    ...(deleted === 0 ? [] : [`delete ${restored === 0 ? count(deleted, "file") : count(deleted)}`]),
  ];
  return `Go back to checkpoint ${checkpoint}: ${steps.join(" and ")}?\n(--dry-run lists them)`;
}

function numbersOf(changes: readonly RestoredFile[]): { readonly restored: number; readonly deleted: number } {
  const deleted = changes.filter(({ change }) => change === "deleted").length;
  return { restored: changes.length - deleted, deleted };
}

function tellLeft(left: RestoreReport["left"]): string {
  return left.map(({ path, because }) => `${printable(path)} left as it is: ${printable(because)}\n`).join("");
}

interface CheckpointListOptions {
  readonly width: number;
  readonly now: number;
}

/** Describes what was saved, and what was left out. */
export function tellCheckpoint({ id, files, leftOut }: Checkpoint, root: string): string {
  return `Checkpoint ${id}: ${count(files, "file")} of ${printable(root)}\n${tellLeftOut(leftOut)}`;
}

/** What was deleted, because all checkpoints together would take too much. */
export function tellDeleted({ count: deleted, maxBytes }: { count: number; maxBytes: number }): string {
  const limit = `${Math.round(maxBytes / 1_000_000).toLocaleString("en-US")} MB`;
  const were = deleted === 1 ? "1 older checkpoint was" : `${deleted.toLocaleString("en-US")} older checkpoints were`;
  return `${were} deleted, so that those of all projects take at most ${limit}.`;
}

/** Lists what checkpoints do not contain. Shown each time, so that nobody relies on it. */
function tellLeftOut({ ignored, nested, tooLarge, unreadable }: LeftOutSummary): string {
  const lines = [
    ignored === 0 ? "" : `  ignored files and folders: ${ignored.toLocaleString("en-US")}\n`,
    named("separate repositories", nested),
    named("too large", tooLarge),
    named("not readable, or named in other bytes than UTF-8", unreadable),
  ].join("");
  return lines === "" ? "" : `Left out, and not touched by a restore:\n${lines}`;
}

/** Lists all checkpoints, newest first. */
export function listCheckpoints(checkpoints: readonly Checkpoint[], { width, now }: CheckpointListOptions): string {
  if (checkpoints.length === 0) return "No checkpoints.\n";
  const rows = checkpoints.map(({ id, at, files, kind, label }) => [
    id,
    timeAgo(at, now),
    files.toLocaleString("en-US"),
    printable(label ?? (kind === "safety" ? "before a restore" : "")),
  ]);
  const row = layOut(COLUMNS, rows, width);
  return [COLUMNS.map(({ heading }) => heading), ...rows].map((cells) => `${row(cells)}\n`).join("");
}

function named(what: string, paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const shown = paths.slice(0, MAX_NAMED).map(printable).join(", ");
  const more = paths.length > MAX_NAMED ? ` and ${(paths.length - MAX_NAMED).toLocaleString("en-US")} more` : "";
  return `  ${what}: ${shown}${more}\n`;
}

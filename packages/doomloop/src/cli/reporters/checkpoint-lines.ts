import { count } from "../../scan/report/count.ts";
import { printable } from "../../system/printable.ts";
import type { Checkpoint, LeftOutSummary } from "../../workspace/index.ts";
import { type Column, layOut } from "../terminal/columns.ts";
import { timeAgo } from "../terminal/time-ago.ts";

export interface CheckpointListOptions {
  readonly width: number;
  readonly now: number;
}

const COLUMNS: readonly Column[] = [
  { heading: "id" },
  { heading: "made" },
  { heading: "files", align: "right" },
  { heading: "label", minimum: 12 },
];
const MAX_NAMED = 5;

/** What was kept, and what was not. */
export function tellCheckpoint({ id, files, leftOut }: Checkpoint, root: string): string {
  return `Checkpoint ${id}: ${count(files, "file")} of ${printable(root)}\n${tellLeftOut(leftOut)}`;
}

/** What no checkpoint has: said each time, so that nobody counts on it. */
export function tellLeftOut({ ignored, nested, tooLarge, unreadable }: LeftOutSummary): string {
  const lines = [
    ignored === 0 ? "" : `  ignored files and folders: ${ignored.toLocaleString("en-US")}\n`,
    named("repositories of their own", nested),
    named("too large", tooLarge),
    named("not readable", unreadable),
  ].join("");
  return lines === "" ? "" : `Left out, and not touched by a restore:\n${lines}`;
}

/** All checkpoints, newest first. */
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

import type { LeftOutSummary } from "./checkpoint-store.ts";
import type { PlannedFile, RestoreManifest, UntouchedFile } from "./plan-restore.ts";
import { parentOf, type RawPath, shownPath } from "./raw-path.ts";
import type { FileOutcome, RestorePlan } from "./restore-journal.ts";

/** What a restore did, or what it would do in a dry run. */
export interface RestoreReport {
  /** The checkpoint that was restored. */
  readonly checkpoint: string;
  /** The checkpoint with the files as they were before the restore; absent if nothing changed. */
  readonly safety?: string;
  /**
   * Whether the user's repository is at another commit than at the checkpoint. If so, changes that were committed since then show as
   * modified or deleted after the restore.
   */
  readonly hasHeadMoved: boolean;
  readonly changes: readonly RestoredFile[];
  /** Files that somebody changed during the restore. Their content was saved beside them. */
  readonly kept: readonly KeptFile[];
  /** Files that differ from the checkpoint and were left as they are. */
  readonly left: readonly LeftFile[];
  /** What restores do not touch. */
  readonly leftOut: LeftOutSummary;
  /** An earlier restore that was interrupted and has been completed first. */
  readonly completed?: Pick<RestoreReport, "checkpoint" | "safety" | "changes" | "kept" | "left">;
  /** In a dry run: the checkpoint of an earlier, interrupted restore that will be completed first. */
  readonly pending?: string;
}

/** A file that was restored, or would be. */
export interface RestoredFile {
  readonly path: string;
  /** What the restore did to the file. */
  readonly change: "created" | "deleted" | "changed";
}

/** A file that somebody changed during the restore, and the path where that content is now. */
interface KeptFile {
  readonly path: string;
  readonly keptAs: string;
}

/** A file that was not restored. */
export interface LeftFile {
  readonly path: string;
  /** The reason, worded to follow "left as it is: ". */
  readonly because: string;
}

type Told = Pick<RestoreReport, "safety" | "changes" | "kept" | "left">;

/** What the restore will do if nothing gets in the way. */
export function reportPlan({ files, untouched }: RestoreManifest): Told {
  return { changes: files.map(restored), kept: [], left: untouched.map(leftFile) };
}

/** What the restore did. */
export function reportOutcomes(plan: RestorePlan, outcomes: ReadonlyMap<number, FileOutcome>): Told {
  const all = plan.files.map((file, at) => ({ file, outcome: outcomes.get(at) ?? {} }));
  const changes = all.filter(({ outcome }) => outcome.leftBecause === undefined).map(({ file }) => restored(file));
  return {
    ...(changes.length > 0 && { safety: plan.safety }),
    changes,
    kept: all.flatMap(({ file: { path }, outcome: { kept = [] } }) =>
      kept.map((name) => ({ path: shownPath(path), keptAs: shownPath(beside(path, name)) })),
    ),
    left: all.flatMap(({ file, outcome: { leftBecause } }) =>
      leftBecause === undefined ? [] : [{ path: shownPath(file.path), because: leftBecause }],
    ),
  };
}

export function leftFile({ path, why }: UntouchedFile): LeftFile {
  return { path: shownPath(path), because: LEFT_BECAUSE[why] };
}

const LEFT_BECAUSE: Readonly<Record<UntouchedFile["why"], string>> = {
  before: "it existed before, and the checkpoint does not have it",
  ignored: "it is new, and is ignored now or was at the checkpoint",
  nested: "it is in a separate repository",
  "became-nested": "it is now a separate repository",
  "too-large": "it is too large to be saved first",
  unreadable: "it cannot be read, so it cannot be saved first",
};

function restored({ path, from, to }: PlannedFile): RestoredFile {
  return { path: shownPath(path), change: to === undefined ? "deleted" : from === undefined ? "created" : "changed" };
}

function beside(path: RawPath, name: RawPath): RawPath {
  const folder = parentOf(path);
  return folder === "" ? name : `${folder}/${name}`;
}

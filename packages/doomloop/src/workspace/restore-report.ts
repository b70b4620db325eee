import type { LeftOutSummary } from "./checkpoint.ts";
import type { FileOutcome, RestorePlan } from "./journal.ts";
import type { PlannedFile, RestoreManifest, UntouchedFile } from "./plan-restore.ts";
import { parentOf, type RawPath, shownPath } from "./raw-path.ts";

/** What a restore did, or what it would do. */
export interface RestoreReport {
  /** The checkpoint that was gone back to. */
  readonly checkpoint: string;
  /** The checkpoint that has what was there before; none if nothing was changed. */
  readonly safety?: string;
  /**
   * The user's repository is at another commit than it was at the checkpoint: what was committed since shows as changed or deleted when
   * files are put back.
   */
  readonly hasHeadMoved: boolean;
  readonly changes: readonly RestoredFile[];
  /** Files that changed while they were restored: what was found lies beside them. */
  readonly kept: readonly KeptFile[];
  /** Files that differ from the checkpoint and were left as they are. */
  readonly left: readonly LeftFile[];
  /** What no restore touches. */
  readonly leftOut: LeftOutSummary;
  /** An earlier restore was cut short, and was completed first. */
  readonly completed?: Pick<RestoreReport, "checkpoint" | "safety" | "changes" | "kept" | "left">;
  /** In a dry run: the checkpoint of an earlier restore that was cut short, and will be completed first. */
  readonly pending?: string;
}

/** A file that was put back, or would be. */
export interface RestoredFile {
  readonly path: string;
  /** What happened to the file: it came back, went away, or was changed back. */
  readonly change: "created" | "deleted" | "changed";
}

/** A file that changed while it was restored, and where what was found lies now. */
export interface KeptFile {
  readonly path: string;
  readonly keptAs: string;
}

/** A file that was not restored. */
export interface LeftFile {
  readonly path: string;
  /** Why, in words that go on after "left as it is: ". */
  readonly because: string;
}

type Told = Pick<RestoreReport, "safety" | "changes" | "kept" | "left">;

/** What is going to happen, if nothing gets in the way. */
export function foretell({ files, untouched }: RestoreManifest): Told {
  return { changes: files.map(restored), kept: [], left: untouched.map(spared) };
}

/** What happened. */
export function tell(plan: RestorePlan, outcomes: ReadonlyMap<number, FileOutcome>): Told {
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

export function spared({ path, why }: UntouchedFile): LeftFile {
  return { path: shownPath(path), because: SPARED[why] };
}

const SPARED: Readonly<Record<UntouchedFile["why"], string>> = {
  before: "it was there before, and the checkpoint does not have it",
  ignored: "it came since, and is ignored now or was at the checkpoint",
  nested: "it is in a repository of its own",
  "became-nested": "it is a repository of its own now",
  "too-large": "it is too large now to be kept first",
  unreadable: "it cannot be read now, and so not be kept first",
};

function restored({ path, from, to }: PlannedFile): RestoredFile {
  return { path: shownPath(path), change: to === undefined ? "deleted" : from === undefined ? "created" : "changed" };
}

function beside(path: RawPath, name: RawPath): RawPath {
  const folder = parentOf(path);
  return folder === "" ? name : `${folder}/${name}`;
}

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { getSystemErrorMessage } from "node:util";
import { DoomloopError, isDoomloopError } from "../core/doomloop-error.ts";
import { type Captured, type CaptureOptions, capture, nameCapture } from "./capture.ts";
import {
  type Checkpoint,
  type CheckpointStore,
  factsOf,
  type KnownCheckpoint,
  openCheckpointStore,
  summaryOf,
  unknownCheckpoint,
} from "./checkpoint-store.ts";
import { withLock } from "./lock.ts";
import { planRestore, stayingFolders, unkeptSince, unusualFolders } from "./plan-restore.ts";
import { prune } from "./prune.ts";
import { among, askedPaths, type RawPath } from "./raw-path.ts";
import { beginJournal, openJournal } from "./restore-journal.ts";
import { leftFile, type RestoreReport, reportOutcomes, reportPlan } from "./restore-report.ts";
import { findGit } from "./run-git.ts";
import { readLastRestore, runRestore } from "./run-restore.ts";
import { hasState, openShadow, prepareState, type Shadow } from "./shadow-repository.ts";
import { headCommit } from "./user-repositories.ts";
import type { Workspace } from "./workspace.ts";
import type { CheckedOptions } from "./workspace-options.ts";

/** Makes and restores checkpoints, one operation at a time. */
export type Timeline = Omit<Workspace, "root">;

export interface TimelineOptions extends CheckedOptions {
  /** Called at every step of a restore, so that tests can end the process there. */
  readonly onStep?: (step: string) => void;
}

type Earlier = Pick<RestoreReport, "completed" | "pending">;

interface Wanted {
  readonly kind: "restore" | "undo";
  readonly target: KnownCheckpoint;
  readonly only: readonly RawPath[] | undefined;
  readonly isDryRun: boolean;
}

const CAPTURE_ATTEMPTS = 3;
const MAX_LABEL = 200;

export function createTimeline(options: TimelineOptions): Timeline {
  const { maxFileBytes, now, onStep = () => {} } = options;

  let program: string | undefined;

  /** Opens the shadow repository while no other process uses it. `orElse` answers if there is none, so that none is created. */
  const withShadow = async <Result>(
    work: (shadow: Shadow, store: CheckpointStore) => Promise<Result>,
    orElse?: () => Result,
  ): Promise<Result> => {
    program ??= await findGit(options.git);
    try {
      if (orElse !== undefined && !hasState(options.stateDirectory)) return orElse();
      const places = { program, folder: prepareState(options.stateDirectory, options.root) };
      return await withLock(places.folder, async () => {
        const shadow = await openShadow({ ...options, ...places });
        return work(shadow, openCheckpointStore(join(places.folder, "checkpoints")));
      });
    } catch (error) {
      throw systemFault(error);
    }
  };

  /** Completes a restore that was interrupted. A dry run only reports it. */
  const complete = async (shadow: Shadow, isDryRun = false): Promise<Earlier> => {
    const journal = openJournal(shadow.folder);
    if (journal === undefined) return {};
    const { plan, outcomes } = journal;
    if (isDryRun) return { pending: plan.target };
    await runRestore(shadow, journal, { isRecovery: true, onStep });
    return { completed: { checkpoint: plan.target, ...reportOutcomes(plan, outcomes) } };
  };

  const look = async (
    shadow: Shadow,
    store: CheckpointStore,
    { isLeftOut, own }: Pick<CaptureOptions, "isLeftOut" | "own">,
  ): Promise<Captured> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await capture(shadow, { maxFileBytes, isLeftOut, own, latestTree: store.latestTree() });
      } catch (error) {
        // Files may have changed while they were read: try again.
        if (!isDoomloopError(error) || attempt === CAPTURE_ATTEMPTS) throw error;
      }
    }
  };

  const keep = async (
    shadow: Shadow,
    store: CheckpointStore,
    captured: Captured,
    about: Pick<Checkpoint, "kind" | "label">,
  ) => {
    const commit = await nameCapture(shadow, captured.tree, about.label ?? about.kind);
    const { files } = captured;
    const head = headCommit(shadow.root);
    const facts = { files, ...(head !== undefined && { head }), leftOut: summaryOf(captured) };
    return store.add({ id: commit.slice(0, 12), at: now(), ...about, ...facts }, captured);
  };

  const goBack = async (shadow: Shadow, store: CheckpointStore, wanted: Wanted): Promise<RestoreReport> => {
    const { kind, target, only } = wanted;
    const captured = await look(shadow, store, scopeOf(wanted));
    const current = { tree: captured.tree, facts: factsOf(captured) };
    const manifest = await planRestore(shadow, {
      current,
      target,
      nested: captured.nested,
      unkept: unkeptSince(captured, target, only),
      only,
      isUndo: kind === "undo",
    });
    const about = {
      checkpoint: target.checkpoint.id,
      hasHeadMoved: headCommit(shadow.root) !== target.checkpoint.head,
      leftOut: summaryOf(captured),
    };
    if (wanted.isDryRun || manifest.files.length === 0) return { ...about, ...reportPlan(manifest) };
    const { checkpoint } = await keep(shadow, store, captured, {
      kind: "safety",
      label: `before ${kind} to ${about.checkpoint}`,
    });
    const journal = beginJournal(shadow.folder, {
      id: randomBytes(4).toString("hex"),
      kind,
      target: about.checkpoint,
      safety: checkpoint.id,
      files: manifest.files,
      staying: stayingFolders(manifest.files, target.facts),
      permissions: unusualFolders(manifest.files, target.facts),
      folders: kind === "undo" ? target.facts.empty.filter((folder) => only?.includes(folder)) : [],
    });
    await runRestore(shadow, journal, { isRecovery: false, onStep });
    const told = reportOutcomes(journal.plan, journal.outcomes);
    const left = [...told.left, ...manifest.untouched.map(leftFile)];
    return { ...about, ...told, left };
  };

  return {
    checkpoint: (label) =>
      withShadow(async (shadow, store) => {
        const earlier = await complete(shadow);
        const about = { kind: "asked" as const, ...(label !== undefined && { label: label.slice(0, MAX_LABEL) }) };
        const { checkpoint } = await keep(
          shadow,
          store,
          await look(shadow, store, { isLeftOut: () => false, own: [] }),
          about,
        );
        await prune(shadow, store, now());
        return { ...checkpoint, ...earlier };
      }),
    list: () =>
      withShadow(
        async (_, store) => store.list(),
        () => [],
      ),
    restore: (id, { dryRun = false, paths } = {}) =>
      withShadow(
        async (shadow, store) => {
          const only = askedPaths(paths);
          const target = store.get(id);
          const earlier = await complete(shadow, dryRun);
          return { ...(await goBack(shadow, store, { kind: "restore", target, only, isDryRun: dryRun })), ...earlier };
        },
        () => {
          throw unknownCheckpoint(id);
        },
      ),
    undo: ({ dryRun = false } = {}) =>
      withShadow(async (shadow, store) => {
        const earlier = await complete(shadow, dryRun);
        const last = readLastRestore(shadow.folder, dryRun);
        if (last === undefined) return nothingToUndo();
        const wanted: Wanted = { kind: "undo", target: store.get(last.safety), only: last.paths, isDryRun: dryRun };
        return { ...(await goBack(shadow, store, wanted)), ...earlier };
      }, nothingToUndo),
  };
}

function nothingToUndo(): never {
  throw new DoomloopError("unknown-checkpoint", "undo: there is no restore to undo");
}

/** Files that the target left out are not copied now, except those that the restore to be undone put there. */
function scopeOf({ kind, target, only = [] }: Wanted): Pick<CaptureOptions, "isLeftOut" | "own"> {
  const own = kind === "undo" ? only : [];
  const isOwn = new Set(own);
  const wasLeftOut = among(target.facts.leftOut);
  return { own, isLeftOut: (path) => wasLeftOut(path) && !isOwn.has(path) };
}

/** Explains an error of the system, such as a full disk or a folder without write permission. */
function systemFault(error: unknown): unknown {
  const { errno, syscall, path = "" } = error as NodeJS.ErrnoException;
  if (isDoomloopError(error) || errno === undefined || syscall === undefined) return error;
  const what = `workspace: ${syscall} ${path}: ${getSystemErrorMessage(errno)}`;
  return new DoomloopError("workspace-fault", what, { cause: error });
}

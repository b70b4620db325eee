import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { getSystemErrorMessage } from "node:util";
import { DoomloopError, isDoomloopError } from "../core/doomloop-error.ts";
import { askedPaths } from "./asked-paths.ts";
import { type Captured, type CaptureOptions, capture, nameCapture } from "./capture.ts";
import { carryOut, readLastRestore } from "./carry-out.ts";
import type { Checkpoint } from "./checkpoint.ts";
import {
  type CheckpointBook,
  factsOf,
  type KnownCheckpoint,
  openCheckpointBook,
  summaryOf,
} from "./checkpoint-book.ts";
import { findGit } from "./find-git.ts";
import { headCommit } from "./head-commit.ts";
import { beginJournal, openJournal } from "./journal.ts";
import { withLock } from "./lock.ts";
import { narrowFolders } from "./narrow-folders.ts";
import { planRestore } from "./plan-restore.ts";
import { prune } from "./prune.ts";
import { among, type RawPath } from "./raw-path.ts";
import { foretell, type RestoreReport, spared, tell } from "./restore-report.ts";
import { openShadow, prepareState, type Shadow } from "./shadow.ts";
import { stayingFolders } from "./staying-folders.ts";
import { unkeptSince } from "./unkept-since.ts";
import type { Workspace } from "./workspace.ts";
import type { CheckedOptions } from "./workspace-options.ts";

/** Checkpoints and the ways between them, one piece of work at a time. */
export type Timeline = Omit<Workspace, "root">;

export interface TimelineOptions extends CheckedOptions {
  /** Told of every step of a restore, for tests that end the process there. */
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

  /** Opens what is kept, alone. */
  const withShadow = async <Result>(
    work: (shadow: Shadow, book: CheckpointBook) => Promise<Result>,
  ): Promise<Result> => {
    program ??= await findGit(options.git);
    try {
      const places = { program, folder: prepareState(options.stateDirectory, options.root) };
      return await withLock(places.folder, async () => {
        const shadow = await openShadow({ ...options, ...places });
        return work(shadow, openCheckpointBook(join(places.folder, "checkpoints")));
      });
    } catch (error) {
      throw systemFault(error);
    }
  };

  /** Completes a restore that was cut short. A dry run only says that there is one. */
  const complete = async (shadow: Shadow, isDryRun = false): Promise<Earlier> => {
    const journal = openJournal(shadow.folder);
    if (journal === undefined) return {};
    const { plan, outcomes } = journal;
    if (isDryRun) return { pending: plan.target };
    await carryOut(shadow, journal, { isRecovery: true, onStep });
    return { completed: { checkpoint: plan.target, ...tell(plan, outcomes) } };
  };

  const look = async (
    shadow: Shadow,
    book: CheckpointBook,
    { isLeftOut, own }: Pick<CaptureOptions, "isLeftOut" | "own">,
  ): Promise<Captured> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await capture(shadow, { maxFileBytes, isLeftOut, own, latestTree: book.latestTree() });
      } catch (error) {
        // Files that change while they are read: the next look may be luckier.
        if (!isDoomloopError(error) || attempt === CAPTURE_ATTEMPTS) throw error;
      }
    }
  };

  const keep = async (
    shadow: Shadow,
    book: CheckpointBook,
    captured: Captured,
    about: Pick<Checkpoint, "kind" | "label">,
  ) => {
    const commit = await nameCapture(shadow, captured.tree, about.label ?? about.kind);
    const { files } = captured;
    const head = headCommit(shadow.root);
    const facts = { files, ...(head !== undefined && { head }), leftOut: summaryOf(captured) };
    return book.add({ id: commit.slice(0, 12), at: now(), ...about, ...facts }, captured);
  };

  const goBack = async (shadow: Shadow, book: CheckpointBook, wanted: Wanted): Promise<RestoreReport> => {
    const { kind, target, only } = wanted;
    const captured = await look(shadow, book, scopeOf(wanted));
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
    if (wanted.isDryRun || manifest.files.length === 0) return { ...about, ...foretell(manifest) };
    const { checkpoint } = await keep(shadow, book, captured, {
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
      permissions: narrowFolders(manifest.files, target.facts),
      folders: kind === "undo" ? target.facts.empty.filter((folder) => only?.includes(folder)) : [],
    });
    await carryOut(shadow, journal, { isRecovery: false, onStep });
    const told = tell(journal.plan, journal.outcomes);
    const left = [...told.left, ...manifest.untouched.map(spared)];
    return { ...about, ...told, left };
  };

  return {
    checkpoint: (label) =>
      withShadow(async (shadow, book) => {
        const earlier = await complete(shadow);
        const about = { kind: "asked" as const, ...(label !== undefined && { label: label.slice(0, MAX_LABEL) }) };
        const { checkpoint } = await keep(
          shadow,
          book,
          await look(shadow, book, { isLeftOut: () => false, own: [] }),
          about,
        );
        await prune(shadow, book, now());
        return { ...checkpoint, ...earlier };
      }),
    list: () => withShadow(async (_, book) => book.list()),
    restore: (id, { dryRun = false, paths } = {}) =>
      withShadow(async (shadow, book) => {
        const only = askedPaths(paths);
        const target = book.get(id);
        const earlier = await complete(shadow, dryRun);
        return { ...(await goBack(shadow, book, { kind: "restore", target, only, isDryRun: dryRun })), ...earlier };
      }),
    undo: ({ dryRun = false } = {}) =>
      withShadow(async (shadow, book) => {
        const earlier = await complete(shadow, dryRun);
        const last = readLastRestore(shadow.folder, dryRun);
        if (last === undefined)
          throw new DoomloopError("unknown-checkpoint", "undo: a restore is required, there was none");
        const wanted: Wanted = { kind: "undo", target: book.get(last.safety), only: last.paths, isDryRun: dryRun };
        return { ...(await goBack(shadow, book, wanted)), ...earlier };
      }),
  };
}

/** What the target did not have is not copied now. What the restore that is undone put there is its own. */
function scopeOf({ kind, target, only = [] }: Wanted): Pick<CaptureOptions, "isLeftOut" | "own"> {
  const own = kind === "undo" ? only : [];
  const isOwn = new Set(own);
  const wasLeftOut = among(target.facts.leftOut);
  return { own, isLeftOut: (path) => wasLeftOut(path) && !isOwn.has(path) };
}

/** A full disk, a folder that may not be written: no fault of the caller's, and none of ours. */
function systemFault(error: unknown): unknown {
  const { errno, syscall, path = "" } = error as NodeJS.ErrnoException;
  if (isDoomloopError(error) || errno === undefined || syscall === undefined) return error;
  const what = `workspace: ${syscall} ${path}: ${getSystemErrorMessage(errno)}`;
  return new DoomloopError("workspace-fault", what, { cause: error });
}

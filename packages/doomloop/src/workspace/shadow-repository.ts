import { randomBytes } from "node:crypto";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DoomloopError } from "../core/doomloop-error.ts";
import { createGit, type Git } from "./run-git.ts";
import { excludePatterns } from "./user-repositories.ts";
import { writeSafely } from "./write-safely.ts";

/** The repository of checkpoints, outside the workspace, and the folder with everything else that is kept. */
export interface Shadow {
  readonly root: string;
  readonly git: Git;
  /** The folder with the checkpoints, the latest restore and the journal. */
  readonly folder: string;
  /** Patterns of ignored files from outside the workspace. */
  readonly excludes: string;
  /** Lends the index to one task. */
  borrowIndex(): BorrowedIndex;
}

/** An index for one borrower alone, so that a git process that outlived its killed parent does not interfere. */
interface BorrowedIndex {
  readonly path: string;
  /** Whether there was no index yet, so that nothing is known about the files. */
  readonly isNew: boolean;
  /** When the task that wrote it began, in milliseconds by the clock of the file system; 0 if unknown. */
  readonly sinceMs: number;
  /** Keeps it for the next task. */
  keep(): void;
  discard(): void;
}

export interface ShadowOptions {
  readonly root: string;
  /** A folder that {@link prepareState} made. */
  readonly folder: string;
  /** Absolute path of git. */
  readonly program: string;
  readonly ignoreFiles: readonly string[];
  readonly now: () => number;
}

/** The layout on disk. Another layout gets another folder, so that no version reads a layout that it does not know. */
export const LAYOUT = "workspace-1";
/** Files are kept byte by byte, whatever attributes the workspace sets. */
const ATTRIBUTES = "* -text -filter -ident !working-tree-encoding !eol !crlf -diff -merge\n";

/** Creates the folder for everything that is kept about a workspace, and returns it. Other users may not look into it. */
export function prepareState(stateDirectory: string, root: string): string {
  const folder = join(stateDirectory, LAYOUT);
  makePrivate(folder);
  claim(folder, root);
  return folder;
}

/** Whether {@link prepareState} ever made a folder here. */
export function hasState(stateDirectory: string): boolean {
  return lstatSync(join(stateDirectory, LAYOUT), { throwIfNoEntry: false }) !== undefined;
}

/** Opens the shadow repository of a workspace, or creates it. Only one process at a time may do so. */
export async function openShadow({ root, folder, program, ignoreFiles, now }: ShadowOptions): Promise<Shadow> {
  const shadow = join(folder, "shadow.git");
  const git = createGit({ program, shadow, root, now });
  mkdirSync(join(shadow, "info"), { recursive: true, mode: 0o700 });
  if (lstatSync(join(folder, "ready"), { throwIfNoEntry: false }) === undefined) {
    mkdirSync(join(folder, "checkpoints"), { recursive: true, mode: 0o700 });
    await git.run(["init", "--quiet", "--template="]);
    writeSafely(join(shadow, "info", "attributes"), ATTRIBUTES);
    writeSafely(join(folder, "ready"), "");
  }
  const excludes = excludePatterns(root, ignoreFiles);
  writeIfNew(join(shadow, "info", "exclude"), excludes);
  return { root, git, folder, excludes, borrowIndex: () => borrowIndex(shadow) };
}

function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const isOurs = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOurs) {
    throw new DoomloopError(
      "invalid-option",
      `workspace: a folder that belongs to this user is required, got ${folder}`,
    );
  }
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/** Checkpoints of one workspace are never restored into another. */
function claim(folder: string, root: string): void {
  const path = join(folder, "root");
  const owner = readIfThere(path);
  if (owner === undefined) writeSafely(path, root);
  else if (owner !== root) {
    const message = `createWorkspace: stateDirectory: a folder for ${root} is required, ${folder} is for ${owner}`;
    throw new DoomloopError("invalid-option", message);
  }
}

/**
 * Git never writes an index in place. So a hard link is as good as a copy, and keeps the time it was written, by which git
 * recognises files that changed at that moment.
 */
function borrowIndex(shadow: string): BorrowedIndex {
  const own = join(shadow, "index");
  const since = join(shadow, "since");
  for (const name of readdirSync(shadow).filter((each) => /^(?:index|since)\./.test(each))) {
    rmSync(join(shadow, name), { force: true });
  }
  const mark = randomBytes(6).toString("hex");
  const path = `${own}.${mark}`;
  const now = `${since}.${mark}`;
  writeFileSync(now, "", { mode: 0o600 });
  let isNew = false;
  try {
    linkSync(own, path);
  } catch {
    isNew = true;
  }
  return {
    path,
    isNew,
    sinceMs: lstatSync(since, { throwIfNoEntry: false })?.mtimeMs ?? 0,
    keep() {
      // An empty workspace has no index.
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, own);
      // Comes last: a time that is too early only costs work, but one that is too late would hide changes.
      renameSync(now, since);
    },
    discard() {
      for (const each of [path, now]) rmSync(each, { force: true });
    },
  };
}

function writeIfNew(path: string, text: string): void {
  if (readIfThere(path) !== text) writeSafely(path, text);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

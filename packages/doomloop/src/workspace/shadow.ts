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
import { excludePatterns } from "./exclude-patterns.ts";
import { createGit, type Git } from "./run-git.ts";
import { writeSafely } from "./write-safely.ts";

/** The repository of checkpoints, outside the workspace, and what else is kept about it. */
export interface Shadow {
  readonly root: string;
  readonly git: Git;
  /** Where checkpoints, restores and the journal are written down. */
  readonly folder: string;
  /** Patterns of ignored files that stand outside the workspace. */
  readonly excludes: string;
  /** Lends the index to one piece of work. */
  borrowIndex(): BorrowedIndex;
}

/** An index that only its borrower uses: git that was left behind by a killed process gets in nobody's way. */
interface BorrowedIndex {
  readonly path: string;
  /** Nothing is known of the files: there was no index yet. */
  readonly isNew: boolean;
  /** When the work began that it comes from, by the clock of the file system, in milliseconds; 0 if nobody knows. */
  readonly sinceMs: number;
  /** Keeps what became of it for the next time. */
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

/** The layout of what is on disk. Another layout gets another folder: none is read by what does not know it. */
const LAYOUT = "workspace-1";
/** Files are kept byte by byte, whatever the attributes in the workspace ask for. */
const ATTRIBUTES = "* -text -filter -ident !working-tree-encoding !eol !crlf -diff -merge\n";

/** Makes the folder for all that is kept about a workspace, and returns it. Nobody else may look into it. */
export function prepareState(stateDirectory: string, root: string): string {
  const folder = join(stateDirectory, LAYOUT);
  makePrivate(folder);
  claim(folder, root);
  return folder;
}

/** Opens the shadow repository of a workspace, or makes it. Only one process at a time may do so. */
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
    throw new DoomloopError("invalid-option", `workspace: a folder of this user is required, ${folder} is none`);
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
 * Git never writes an index in place. So a second name for it is as good as a copy, and keeps the time it was written,
 * by which git knows files that changed just then.
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
      // An empty workspace has none.
      if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, own);
      // Last: an earlier time makes more work, and a later one would hide changes.
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

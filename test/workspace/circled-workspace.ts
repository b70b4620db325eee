import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace } from "../../packages/doomloop/src/workspace/index.ts";
import { type FolderSnapshot, snapshotOf } from "./snapshot.ts";

/** A workspace in which an agent has gone in circles, with a checkpoint from before. */
export interface CircledWorkspace {
  readonly root: string;
  readonly state: string;
  readonly checkpoint: string;
  readonly before: FolderSnapshot;
  readonly after: FolderSnapshot;
  write(path: string, text: string): void;
  /** The files as they were after the agent had gone in circles. */
  rewind(): void;
  remove(): void;
}

/** Creates one, with every kind of change that a restore handles. */
export async function createCircledWorkspace(): Promise<CircledWorkspace> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "doomloop-killed-")));
  const root = join(home, "root");
  const state = join(home, "state");
  const copy = (from: string, to: string): void =>
    cpSync(join(home, from), join(home, to), { recursive: true, verbatimSymlinks: true });
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of ["changed", "src/deleted", "became-folder", "folder/became-file", "untouched", "mode"])
    write(path, "before\n");
  symlinkSync("untouched", join(root, "link"));
  const before = snapshotOf(root);
  const { id: checkpoint } = await createWorkspace({ root, stateDirectory: state }).checkpoint();

  write("changed", "after\n");
  rmSync(join(root, "src"), { recursive: true });
  rmSync(join(root, "became-folder"));
  write("became-folder/new", "after\n");
  rmSync(join(root, "folder"), { recursive: true });
  write("folder", "after\n");
  write("made/by/agent", "after\n");
  chmodSync(join(root, "mode"), 0o600);
  rmSync(join(root, "link"));
  symlinkSync("changed", join(root, "link"));
  const after = snapshotOf(root);
  for (const each of ["root", "state"]) copy(each, `${each}-kept`);

  return {
    root,
    state,
    checkpoint,
    before,
    after,
    write,
    rewind() {
      for (const each of ["root", "state"]) {
        rmSync(join(home, each), { recursive: true, force: true });
        copy(`${each}-kept`, each);
      }
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

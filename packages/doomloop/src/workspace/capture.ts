import { randomBytes } from "node:crypto";
import { findLeftOut, type LeftOut, listFiles } from "./list-files.ts";
import { bytesOf, type RawPath } from "./raw-path.ts";
import type { Shadow } from "./shadow-repository.ts";
import { type Survey, surveyFiles } from "./survey.ts";

/** The workspace at one moment, with all its files in the shadow repository. */
export interface Captured extends Omit<Survey, "changed" | "touched" | "removed"> {
  readonly tree: string;
  /** Patterns of ignored files from outside the workspace. */
  readonly excludes: string;
  readonly leftOut: LeftOut;
}

export interface CaptureOptions {
  readonly maxFileBytes: number;
  /** What the checkpoint to restore left out. It stays out even if an agent has changed the ignore rules. */
  readonly isLeftOut: (path: RawPath) => boolean;
  /** Files to include even if they are ignored, because the restore to be undone put them there. */
  readonly own: readonly RawPath[];
  /** The tree of the latest checkpoint, from which a lost index is rebuilt. */
  readonly latestTree: string | undefined;
}

/** Captures the workspace. It reads only files that have changed since the last time. */
export async function capture(shadow: Shadow, options: CaptureOptions): Promise<Captured> {
  const { latestTree, own, ...limits } = options;
  const { git, root } = shadow;
  const borrowed = shadow.borrowIndex();
  const index = borrowed.path;
  try {
    if (borrowed.isNew && latestTree !== undefined) await git.run(["read-tree", latestTree], { index });
    // Both walk through all folders. What is left out depends only on the set of known files, which rarely changes, so it is found early.
    const [listed, early] = await Promise.all([listFiles(git, index, own), findLeftOut(git, root, index)]);
    const { changed, touched, removed, ...survey } = await surveyFiles(root, listed, {
      ...limits,
      sinceMs: borrowed.sinceMs,
    });
    const isSameSet = removed.length === 0 && changed.every((path) => listed.files.get(path)?.isKnown);
    const update = (words: readonly string[], paths: readonly RawPath[]): Promise<unknown> | undefined =>
      paths.length === 0
        ? undefined
        : git.run(["update-index", ...words, "-z", "--stdin"], { index, input: records(paths) });
    // Git reads only new files and those that it knows to have changed.
    await update(["--force-remove"], [...removed, ...touched]);
    await update(["--add", "--remove", "--replace"], [...changed, ...touched]);
    const [tree, leftOut] = await Promise.all([
      git.run(["write-tree"], { index }),
      isSameSet ? early : findLeftOut(git, root, index),
    ]);
    borrowed.keep();
    return { ...survey, excludes: shadow.excludes, tree: tree.toString("latin1").trim(), leftOut };
  } finally {
    borrowed.discard();
  }
}

/** Creates a commit and a ref for a capture, so that git keeps it and people can find it without doomloop. Returns the commit's id. */
export async function nameCapture({ git }: Shadow, tree: string, about: string): Promise<string> {
  // Random text, so that two checkpoints of the same second have different commits.
  const input = `${about.replaceAll("\0", "")}\n\n${randomBytes(8).toString("hex")}\n`;
  const commit = (await git.run(["commit-tree", tree], { input })).toString("latin1").trim();
  await git.run(["update-ref", `refs/checkpoints/${commit.slice(0, 12)}`, commit]);
  return commit;
}

function records(paths: readonly RawPath[]): Buffer {
  return bytesOf(paths.map((path) => `${path}\0`).join(""));
}

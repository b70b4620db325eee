import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createBlobReader } from "./blob-reader.ts";
import { bytesOf, isOwnPath, nameOf, pathIn, type RawPath, splitRecords } from "./raw-path.ts";
import type { Shadow } from "./shadow-repository.ts";

/** The ignore rules of a checkpoint: the `.gitignore` files in its tree, and patterns from outside the workspace. */
export interface IgnoreRules {
  readonly tree: string;
  readonly excludes: string;
}

/** The paths that the current rules or those of a checkpoint ignore: an agent may have changed the rules in between. */
export async function ignoredPaths(
  shadow: Shadow,
  paths: readonly RawPath[],
  then: IgnoreRules,
): Promise<ReadonlySet<RawPath>> {
  if (paths.length === 0) return new Set();
  // This command has no option for literal names. After `./`, special characters lose their meaning.
  const input = bytesOf(paths.map((path) => `./${path}\0`).join(""));
  const ask = async (...settings: string[]): Promise<RawPath[]> => {
    const words = ["--no-literal-pathspecs", ...settings, "check-ignore", "--no-index", "-z", "--stdin"];
    return splitRecords(await shadow.git.run(words, { input, emptyCode: 1 })).map((path) => path.slice(2));
  };
  const place = join(shadow.folder, "rules");
  rmSync(place, { recursive: true, force: true });
  try {
    const tree = join(place, "tree");
    await layOut(shadow, then, tree);
    const settings = [`--work-tree=${tree}`, "-c", `core.excludesFile=${join(place, "excludes")}`];
    return new Set([...(await ask()), ...(await ask(...settings))]);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Writes the ignore rules of a checkpoint, and nothing else of it, to a folder where git can read them. */
async function layOut({ git }: Shadow, { tree, excludes }: IgnoreRules, place: string): Promise<void> {
  mkdirSync(place, { recursive: true, mode: 0o700 });
  writeFileSync(join(dirname(place), "excludes"), excludes, { mode: 0o600 });
  const records = splitRecords(await git.run(["ls-tree", "-r", "-z", "--full-tree", tree]));
  const blobs = createBlobReader(git);
  try {
    for (const record of records) {
      const tab = record.indexOf("\t");
      const path = record.slice(tab + 1);
      const [mode = "", , id = ""] = record.slice(0, tab).split(" ");
      // Git does not follow a `.gitignore` that is a link.
      if (nameOf(path) !== ".gitignore" || mode === "120000" || !isOwnPath(path)) continue;
      mkdirSync(pathIn(place, path.slice(0, -".gitignore".length)), { recursive: true });
      writeFileSync(pathIn(place, path), await blobs.read(id));
    }
  } finally {
    await blobs.close();
  }
}

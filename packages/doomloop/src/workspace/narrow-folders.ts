import type { CheckpointFacts } from "./checkpoint-book.ts";
import type { PlannedFile } from "./plan-restore.ts";
import { parentOf, type RawPath } from "./raw-path.ts";

/** Folders on the way to what is put back that others could not look into: they are not made for everybody. */
export function narrowFolders(
  files: readonly PlannedFile[],
  { permissions }: CheckpointFacts,
): readonly (readonly [RawPath, number])[] {
  const narrow = new Map<RawPath, number>();
  for (const { path } of files.filter(({ to }) => to !== undefined)) {
    for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
      const own = permissions.get(folder);
      if (own !== undefined) narrow.set(folder, own);
    }
  }
  return [...narrow];
}

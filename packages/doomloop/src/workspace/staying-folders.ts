import type { CheckpointFacts } from "./checkpoint-book.ts";
import type { PlannedFile } from "./plan-restore.ts";
import { parentOf, type RawPath } from "./raw-path.ts";

/**
 * Folders that a deletion may empty and that stay nevertheless: they were there at the checkpoint, empty or with what it
 * left out, or something is going to be put into them.
 */
export function stayingFolders(files: readonly PlannedFile[], facts: CheckpointFacts): readonly RawPath[] {
  const before = new Set<RawPath>();
  for (const folder of facts.empty) addWithAbove(before, folder);
  for (const path of facts.leftOut) addWithAbove(before, path.endsWith("/") ? path.slice(0, -1) : parentOf(path));
  for (const { path, to } of files) if (to !== undefined) addWithAbove(before, parentOf(path));
  const emptied = new Set<RawPath>();
  for (const { path, to } of files) if (to === undefined) addWithAbove(emptied, parentOf(path));
  return [...emptied].filter((folder) => before.has(folder));
}

function addWithAbove(folders: Set<RawPath>, folder: RawPath): void {
  for (let at = folder; at !== "" && !folders.has(at); at = parentOf(at)) folders.add(at);
}

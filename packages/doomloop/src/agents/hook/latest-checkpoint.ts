import { join } from "node:path";
import { homeFolder } from "../../system/home-folder.ts";
import { openCheckpointStore } from "../../workspace/checkpoint-store.ts";
import { findRoot, workspaceState } from "../../workspace/open-workspace.ts";
import { LAYOUT } from "../../workspace/shadow-repository.ts";
import { GRAVE, type LogEntry } from "./intervention-log.ts";

/** The entry as it is noted: people may want to put files back after such an event, so it names their latest checkpoint. */
export function withCheckpoint(state: string, entry: LogEntry): LogEntry {
  const { said, folder } = entry;
  const checkpoint = folder !== undefined && GRAVE.has(said) ? latestCheckpoint(state, folder) : undefined;
  return checkpoint === undefined ? entry : { ...entry, checkpoint };
}

/** The newest checkpoint that somebody made of the project of a folder. Undefined if there is none. Starts no git, and never throws. */
function latestCheckpoint(state: string, folder: string): string | undefined {
  try {
    const place = workspaceState(state, findRoot(undefined, folder, homeFolder()));
    const checkpoints = openCheckpointStore(join(place, LAYOUT, "checkpoints")).list();
    return checkpoints.find(({ kind }) => kind === "asked")?.id;
  } catch {
    return undefined;
  }
}

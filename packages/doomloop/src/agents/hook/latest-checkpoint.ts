import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "../../system/home-folder.ts";
import { findRoot, workspaceState } from "../../workspace/open-workspace.ts";
import { refsFolder, storeFolder } from "../../workspace/store.ts";
import { GRAVE, type LogEntry } from "./intervention-log.ts";

/** The entry as it is noted: people may want to put files back after such an event, so it names their latest checkpoint. */
export function withCheckpoint(state: string, entry: LogEntry): LogEntry {
  const { said, folder } = entry;
  const checkpoint = folder !== undefined && GRAVE.has(said) ? latestCheckpoint(state, folder) : undefined;
  return checkpoint === undefined ? entry : { ...entry, checkpoint };
}

/** The newest checkpoint of the project of a folder. Undefined if there is none. Starts no git, and never throws. */
function latestCheckpoint(state: string, folder: string): string | undefined {
  try {
    const refs = refsFolder(storeFolder(workspaceState(state, findRoot(undefined, folder, homeFolder()))));
    const timed = readdirSync(refs).map((id) => ({ id, at: statSync(join(refs, id)).mtimeMs }));
    return timed.sort((one, other) => other.at - one.at)[0]?.id;
  } catch {
    return undefined;
  }
}

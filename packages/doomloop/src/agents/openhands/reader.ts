import { basename, dirname, join } from "node:path";
import { joinPath } from "../../transcripts/file-names.ts";
import { hasKey } from "../../transcripts/head-keys.ts";
import type { TranscriptReader } from "../../transcripts/reader.ts";
import { parseOpenhands, readOneFile } from "./parse.ts";
import { isEventFile, isFirstEventFile, readEventFolder, STATE_FILE } from "./read-event-folder.ts";

/** The first file of a folder. The whole folder is read in its place, even if it is empty or broken. */
const NAMED = /[\\/]event-0{1,9}-[\w-]{8,64}\.json$/;

/** The name and the plan of a run, and a second copy of its events. */
const OTHER = /[\\/](?:metadata|TASKS)\.json$|[\\/]event_cache[\\/]/;

/** Runs of OpenHands: folders of events, trajectories, and the output of its benchmarks. */
export const openhandsReader: TranscriptReader = {
  agent: "openhands",
  label: "OpenHands",
  extensions: [".json", ".jsonl"],
  layout: "any",
  /** One folder for each run, with one file for each event. The command line, the server and their predecessors have different variables. */
  roots(environment) {
    const { env, home } = environment;
    const usual = joinPath(environment, home, ".openhands");
    const folder = env.OPENHANDS_PERSISTENCE_DIR || env.OH_PERSISTENCE_DIR || env.FILE_STORE_PATH || usual;
    const conversations = env.OPENHANDS_CONVERSATIONS_DIR || joinPath(environment, folder, "conversations");
    return [joinPath(environment, folder, "sessions"), conversations];
  },
  isMine: (path, head) =>
    isEventFile(path) ? isFirstEventFile(path) && (NAMED.test(path) || hasSource(head)) : hasEvents(head),
  isPart: (path) => (isEventFile(path) ? !isFirstEventFile(path) : basename(path) === STATE_FILE),
  isOther: (path) => OTHER.test(path),
  companions: (path) => (isEventFile(path) ? [dirname(path), join(dirname(dirname(path)), STATE_FILE)] : []),
  open: parseOpenhands,
  async readFile(source, sink) {
    return isEventFile(source.path) ? readEventFolder(source.path, sink) : readOneFile(source.path, sink);
  },
};

const SOURCES = ['"agent"', '"user"', '"environment"'];

/** The SDK writes the kind of an event last, after a prompt of any length, but its source early. */
function hasSource(head: string): boolean {
  return head.trimStart().startsWith("{") && hasKey(head, "source", ...SOURCES);
}

function hasEvents(head: string): boolean {
  const isOlder =
    hasKey(head, "source", ...SOURCES) && (hasKey(head, "action", '"') || hasKey(head, "observation", '"'));
  const isNewer = hasKey(head, "kind", '"MessageEvent"', '"ActionEvent"', '"ObservationEvent"', '"SystemPromptEvent"');
  return isOlder || isNewer || (hasKey(head, "instance_id", '"') && hasKey(head, "history", "["));
}

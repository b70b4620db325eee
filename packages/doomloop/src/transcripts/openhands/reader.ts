import { hasKey } from "../head-value.ts";
import type { TranscriptReader } from "../reader.ts";
import { parseOpenhands } from "./parse.ts";
import { openhandsPaths } from "./paths.ts";
import { isEventFile, isFirstEventFile, readEventFolder } from "./read-event-folder.ts";
import { readOneFile } from "./read-one-file.ts";

/** Runs of OpenHands: folders of events, trajectories, and the output of its benchmarks. */
export const openhands: TranscriptReader = {
  agent: "openhands",
  label: "OpenHands",
  extensions: [".json", ".jsonl"],
  layout: "any",
  roots: openhandsPaths,
  isMine: (path, head) => (isEventFile(path) ? isFirstEventFile(path) : true) && hasEvents(head),
  open: parseOpenhands,
  async readFile(source, sink) {
    return isEventFile(source.path) ? readEventFolder(source.path, sink) : readOneFile(source.path, sink);
  },
};

const SOURCES = ['"agent"', '"user"', '"environment"'];

function hasEvents(head: string): boolean {
  const isOlder =
    hasKey(head, "source", ...SOURCES) && (hasKey(head, "action", '"') || hasKey(head, "observation", '"'));
  const isNewer = hasKey(head, "kind", '"MessageEvent"', '"ActionEvent"', '"ObservationEvent"', '"SystemPromptEvent"');
  return isOlder || isNewer || (hasKey(head, "instance_id", '"') && hasKey(head, "history", "["));
}

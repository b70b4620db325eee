import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readRegularFile } from "../../transcripts/open-regular-file.ts";
import type { SkippedRecords, TranscriptSink } from "../../transcripts/reader.ts";
import { createTurns } from "../../transcripts/turns.ts";
import { readBaseState } from "./base-state.ts";
import { createEventRun } from "./parse.ts";

const EVENT_FILE = /[\\/]events[\\/](?:event-(\d{1,9})-[\w-]{8,64}|(\d{1,9}))\.json$/;
/** This file is beside the folder of events. */
export const STATE_FILE = "base_state.json";
const MAX_BYTES = 67_108_864;

/** Whether a file is one event of a run: `events/12.json`, or `events/event-00012-<id>.json`. */
export function isEventFile(path: string): boolean {
  return EVENT_FILE.test(path);
}

/** Whether it is the first event. The whole folder is read in its place. */
export function isFirstEventFile(path: string): boolean {
  return numberOf(path) === 0;
}

/** Reads all events in the folder of a file. */
export async function readEventFolder(path: string, sink: TranscriptSink): Promise<SkippedRecords> {
  const folder = dirname(path);
  const home = dirname(folder);
  const state = readBaseState(join(home, STATE_FILE));
  const run = createEventRun(basename(home), sink, { state, parent: parentOf(home) });
  let malformed = 0;
  const turns = createTurns();
  for (const name of eventFiles(folder)) {
    await turns.pause();
    const event = readEvent(join(folder, name));
    if (event === undefined || !run.take(event)) malformed++;
  }
  run.end();
  return { malformed, tooLong: 0 };
}

/** A subagent's run is in `<run>/subagents/`. */
function parentOf(home: string): string | undefined {
  const above = dirname(home);
  return basename(above) === "subagents" ? basename(dirname(above)) : undefined;
}

function eventFiles(folder: string): readonly string[] {
  const pathOf = (name: string): string => `/events/${name}`;
  return readdirSync(folder)
    .filter((name) => isEventFile(pathOf(name)))
    .sort((one, other) => numberOf(pathOf(one)) - numberOf(pathOf(other)));
}

function numberOf(path: string): number {
  const [, newer, older] = EVENT_FILE.exec(path) ?? [];
  return Number(newer ?? older);
}

function readEvent(file: string): unknown {
  try {
    return JSON.parse(readRegularFile(file, MAX_BYTES)?.toString("utf8") ?? "");
  } catch {
    return undefined;
  }
}

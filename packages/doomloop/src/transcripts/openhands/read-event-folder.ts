import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SkippedRecords, TranscriptSink } from "../reader.ts";
import { createEventRun } from "./event-run.ts";

const EVENT_FILE = /[\\/]events[\\/](?:event-)?(\d{1,9})(?:-[\da-f-]{36})?\.json$/;
const MAX_BYTES = 67_108_864;

/** Whether a file is one event of a run: `events/12.json`, or `events/event-00012-<id>.json`. */
export function isEventFile(path: string): boolean {
  return EVENT_FILE.test(path);
}

/** Whether it is the first event, in whose name the whole folder is read. */
export function isFirstEventFile(path: string): boolean {
  return Number(EVENT_FILE.exec(path)?.[1]) === 0;
}

/** Reads all events of the folder that a file lies in. */
export function readEventFolder(path: string, sink: TranscriptSink): SkippedRecords {
  const folder = dirname(path);
  const run = createEventRun(basename(dirname(folder)), sink);
  let malformed = 0;
  for (const name of eventFiles(folder)) {
    const event = readEvent(join(folder, name));
    if (event === undefined || !run.take(event)) malformed++;
  }
  run.end();
  return { malformed, tooLong: 0 };
}

function eventFiles(folder: string): readonly string[] {
  const numberOf = (name: string): number => Number(EVENT_FILE.exec(`/events/${name}`)?.[1]);
  return readdirSync(folder)
    .filter((name) => isEventFile(`/events/${name}`))
    .sort((one, other) => numberOf(one) - numberOf(other));
}

function readEvent(file: string): unknown {
  try {
    return statSync(file).size > MAX_BYTES ? undefined : JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

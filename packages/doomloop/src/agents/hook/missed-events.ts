import { closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder } from "../journal/private-folder.ts";

const NAME = "missed-events";
const FLAGS =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0);

/**
 * Notes that an event was not heard: a byte behind others. A guard that misses an edit takes the test behind it for one more of the same, so
 * who goes on from here must know. All runs are told, because who gives up early does not know whose event it was. Never throws.
 */
export function noteMissedEvent(directory: string): void {
  try {
    makePrivateFolder(directory);
    const file = openSync(join(directory, NAME), FLAGS, 0o600);
    try {
      writeSync(file, ".");
    } finally {
      closeSync(file);
    }
  } catch {
    // The disk is full, or not ours: nothing is kept then, and nothing said.
  }
}

/** How many events were not heard so far: a number that differs if one was not heard in between. */
export function countMissedEvents(directory: string): number {
  return statSync(join(directory, NAME), { throwIfNoEntry: false })?.size ?? 0;
}

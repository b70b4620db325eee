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
 * Notes that an event was missed, by appending one byte. Later hooks need to know: a guard that missed an edit takes the next test run for
 * one more repeat. All runs are told, because a hook that gives up early does not know whose event it was. Never throws.
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
    // The disk is full, or not ours. Then no hook saves anything, and none speaks.
  }
}

/** How many events were missed so far. The number changes whenever one is missed. */
export function countMissedEvents(directory: string): number {
  return statSync(join(directory, NAME), { throwIfNoEntry: false })?.size ?? 0;
}

import { closeSync, constants, fstatSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../journal/private-folder.ts";
import type { HandledEvent } from "./handle-hook-event.ts";

/** The largest file of a month: more than ten thousand lines. */
export const MAX_NUDGE_BYTES = 1_000_000;

const NAME = /^nudges-(\d{4}-\d{2})\.jsonl$/;

/** A line has the day, the agent and the kind of answer. It has no run, no tool and no words. */
const VERSION = 1;
/** Older files are removed when a month begins. */
const KEPT_MS = 400 * 86_400_000;
/** Refuses a link, and does not hang on a pipe that somebody put there. Windows has neither flag. */
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Counts an answer, and whether earlier nudges helped. An answer counts only if it reaches the agent. */
export function countNudges(state: string, { host, output, answer, nudges }: HandledEvent, now: number): void {
  const said = output === undefined ? "nothing" : answer;
  if (said === "nothing" && nudges.obeyed + nudges.ignored === 0) return;
  append(state, { host, said, ...nudges }, now);
}

/** Counts that a person allowed a loop. */
export function countAllowed(state: string, now: number): void {
  append(state, { said: "allowed" }, now);
}

/** Appends with one small write, so that hooks do not disturb each other. */
function append(state: string, line: object, now: number): void {
  makeFolder(state);
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | SAFELY;
  const file = openSync(nudgeFile(state, now), flags, 0o600);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size >= MAX_NUDGE_BYTES) return;
    if (stats.size === 0) removeOld(state, now);
    const day = new Date(now).toISOString().slice(0, 10);
    writeSync(file, `${JSON.stringify({ v: VERSION, day, ...line })}\n`);
  } finally {
    closeSync(file);
  }
}

function removeOld(state: string, now: number): void {
  const oldest = new Date(now - KEPT_MS).toISOString().slice(0, 7);
  for (const name of readdirSync(state)) {
    if ((monthOf(name) ?? oldest) < oldest) rmSync(join(state, name), { force: true });
  }
}

/** The file of a month's counts. With one file for each month, none has to be rewritten while others append to it. */
export function nudgeFile(state: string, now: number): string {
  return join(state, `nudges-${new Date(now).toISOString().slice(0, 7)}.jsonl`);
}

/** The month of a file of counts, such as `2026-01`; undefined for other files. */
export function monthOf(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

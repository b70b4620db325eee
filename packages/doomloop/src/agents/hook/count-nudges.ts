import { closeSync, constants, fstatSync, openSync, readdirSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../journal/private-folder.ts";
import type { HandledEvent } from "./handle-hook-event.ts";

/** A month's count ends there: more than ten thousand lines. */
export const MAX_NUDGE_BYTES = 1_000_000;

const NAME = /^nudges-(\d{4}-\d{2})\.jsonl$/;

/** What is counted are the day, the agent, and what was said: no run, no tool, no word. */
const VERSION = 1;
/** What is older is removed when a month begins. */
const KEPT_MS = 400 * 86_400_000;
/** Neither a link nor a pipe that somebody put there holds us up. Windows knows neither flag. */
const SAFELY = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Counts what a hook has said, and what came of what it said before. Only what reaches the agent is said. */
export function countNudges(state: string, { host, output, answer, nudges }: HandledEvent, now: number): void {
  const said = output === undefined ? "nothing" : answer;
  if (said === "nothing" && nudges.obeyed + nudges.ignored === 0) return;
  append(state, { host, said, ...nudges }, now);
}

/** Counts that a person said of a loop that it is none. */
export function countAllowed(state: string, now: number): void {
  append(state, { said: "allowed" }, now);
}

/** One small write behind all others, so that no two hooks get in each other's way. */
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

/** Where hooks count what they said in a month. A file a month: nobody has to rewrite one that others append to. */
export function nudgeFile(state: string, now: number): string {
  return join(state, `nudges-${new Date(now).toISOString().slice(0, 7)}.jsonl`);
}

/** The month of a file of counts, such as `2026-01`; undefined for other files. */
export function monthOf(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { KeptHook } from "../../hooks/keep-hook.ts";

/** What hooks have said, and what came of it, one line each: no run, no tool, no word. */
const NUDGE_FILE = "nudges.jsonl";

/** Counts what a hook has said. One small write behind all others, so that no two hooks get in each other's way. */
export function countNudges(state: string, { host, answer, nudges }: KeptHook, now: number): void {
  if (answer === "nothing" && nudges.obeyed + nudges.ignored === 0) return;
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);
  const file = openSync(join(state, NUDGE_FILE), flags, 0o600);
  try {
    const day = new Date(now).toISOString().slice(0, 10);
    writeSync(file, `${JSON.stringify({ v: 1, day, host, said: answer, ...nudges })}\n`);
  } finally {
    closeSync(file);
  }
}

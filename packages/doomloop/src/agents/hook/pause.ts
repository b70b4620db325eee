import { rmSync } from "node:fs";
import { join } from "node:path";
import { makePrivateFolder, readOwnFile, replaceFile } from "../../system/private-files.ts";

const FOREVER = "forever";

/** Keeps all hooks of the user silent, until a time or until `resume`. */
export function pause(state: string, until: number | undefined): void {
  makePrivateFolder(state);
  replaceFile(fileOf(state), `${until ?? FOREVER}\n`);
}

/** Lets hooks speak again. Returns whether they were silent. */
export function resume(state: string, now: number): boolean {
  const was = isPaused(state, now);
  rmSync(fileOf(state), { force: true });
  return was;
}

/** Whether hooks are silent now. */
export function isPaused(state: string, now: number): boolean {
  return pausedUntil(state, now) !== undefined;
}

/** Until when hooks are silent, or `"forever"`. Undefined if they speak. */
export function pausedUntil(state: string, now: number): number | typeof FOREVER | undefined {
  const text = readOwnFile(fileOf(state), 100)?.trim();
  if (text === FOREVER) return FOREVER;
  const until = Number(text ?? Number.NaN);
  return until > now ? until : undefined;
}

function fileOf(state: string): string {
  return join(state, "paused");
}

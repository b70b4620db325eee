import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import type { TraceRun } from "../../packages/doomloop/src/transcripts/trace/trace-run.ts";

/** What a module given with `--detector` exports. It is not told how the run ended, nor what is expected of it. */
export type Detect = (
  run: Pick<TraceRun, "run" | "model" | "task" | "events">,
) => readonly number[] | Promise<readonly number[]>;

export async function loadDetector(path: string): Promise<Detect> {
  const { detect } = (await import(pathToFileURL(path).href)) as { detect?: unknown };
  if (typeof detect !== "function") throw new Error(`--detector: a function named detect is required from ${path}`);
  return detect as Detect;
}

/** A detector is named as its file is. */
export function detectorName(path: string): string {
  return basename(path).replace(/\.\w+$/, "");
}

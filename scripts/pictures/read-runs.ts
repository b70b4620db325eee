import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseRun, type TraceRun } from "../../packages/doomloop/src/transcripts/trace/read-trace.ts";

/** The runs of a trace, one a line. */
export function readRuns(file: string): readonly TraceRun[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line, index) => {
      const run = parseRun(line);
      if (run === undefined)
        throw new Error(`${basename(file)}: a run is required in line ${index + 1}, got something else`);
      return run;
    });
}

/** The runs of every trace in a folder, by the kind of loop that the trace is named after. */
export function readRunsByKind(folder: string): ReadonlyMap<string, readonly TraceRun[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  return new Map(files.sort().map((file) => [basename(file, ".jsonl"), readRuns(join(folder, file))]));
}

import type { TranscriptReader } from "../../transcripts/reader.ts";
import type { FoundFile } from "../scan/find-transcripts.ts";
import type { LoopSummary, Report } from "../scan/report.ts";
import { createReportBuilder } from "../scan/report-builder.ts";
import type { RunRecord } from "../scan/run-record.ts";
import { scanTarget } from "../scan/scan-target.ts";
import type { Mark } from "./marks.ts";
import type { Setting } from "./settings.ts";

/** What a setting found. */
export interface Outcome {
  readonly setting: Setting;
  readonly sessionsWithLoops: number;
  readonly loops: readonly LoopSummary[];
}

export interface CompareOptions {
  readonly readers: readonly TranscriptReader[];
  readonly format: string | undefined;
  readonly accepts: (run: RunRecord, id: string, file: FoundFile) => boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Scans files under several settings. */
export async function compareSettings(
  files: readonly FoundFile[],
  settings: readonly Setting[],
  options: CompareOptions,
): Promise<readonly Outcome[]> {
  const { readers, format, accepts, signal, onProgress } = options;
  const builders = settings.map(() => createReportBuilder({ ...PLAIN, accepts }));
  const total = files.reduce((sum, { size }) => sum + size, 0) * settings.length;
  let done = 0;
  for (const file of files) {
    for (const [at, { options: guardOptions }] of settings.entries()) {
      if (signal.aborted) break;
      const scanned = await scanTarget(file.path, {
        readers,
        format,
        guardOptions,
        hasCosts: false,
        includesContent: false,
        signal,
      });
      builders[at]!.add(file, scanned);
      done += file.size;
      onProgress(done, total);
    }
  }
  return settings.map((setting, at) => outcomeOf(setting, builders[at]!.build(0)));
}

const PLAIN = {
  version: "",
  preset: "",
  since: undefined,
  until: undefined,
  includesContent: false,
  pricesAsOf: null,
  hasSteps: false,
};

function outcomeOf(setting: Setting, { loops, totals }: Report): Outcome {
  return { setting, loops, sessionsWithLoops: totals.sessionsWithLoops };
}

/** How many of the marked findings a setting sees: the fewer wrong and the more right ones the better. */
export interface Fit {
  readonly right: number;
  readonly wrong: number;
}

export function fitOf({ loops }: Outcome, marks: readonly Mark[]): Fit {
  const seen = marks.filter((mark) => loops.some((loop) => isSame(loop, mark)));
  return { right: seen.filter(({ isRight }) => isRight).length, wrong: seen.filter(({ isRight }) => !isRight).length };
}

/** The same stretch of the same session, by whatever name. */
export function isSame({ session, onset, end }: LoopSummary, mark: Mark): boolean {
  return session === mark.session && onset <= mark.end && end >= mark.onset;
}

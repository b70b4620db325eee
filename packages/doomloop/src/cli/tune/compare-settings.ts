import type { GuardOptions } from "../../core/options.ts";
import type { FoundFile } from "../scan/find-transcripts.ts";
import type { LoopSummary, Report } from "../scan/report.ts";
import { createReportBuilder } from "../scan/report-builder.ts";
import type { FileRecord, RunRecord } from "../scan/run-record.ts";
import { type ScanFilesOptions, scanFiles } from "../scan/scan-files.ts";
import type { ScanOrder } from "../scan/scan-order.ts";
import type { Mark } from "./marks.ts";
import { type Setting, settingsFor } from "./settings.ts";

/** What a setting found. */
export interface Outcome {
  readonly setting: Setting;
  readonly sessionsWithLoops: number;
  readonly loops: readonly LoopSummary[];
}

export interface CompareOptions extends Pick<ScanFilesOptions, "readers" | "signal" | "onProgress"> {
  readonly order: ScanOrder;
  /** What is in use. */
  readonly guardOptions: GuardOptions;
  readonly accepts: (run: RunRecord, id: string, file: FoundFile) => boolean;
}

/** Scans files under all settings at once: the one in use first. */
export async function compareSettings(
  files: readonly FoundFile[],
  { order, guardOptions, accepts, ...options }: CompareOptions,
): Promise<readonly Outcome[]> {
  const settings = settingsFor(guardOptions);
  const builders = settings.map(() => createReportBuilder({ ...PLAIN, accepts }));
  await scanFiles(files, {
    ...options,
    order: { ...order, isTuning: true },
    guardOptions,
    cache: undefined,
    onFile(file, { alternatives = [], ...record }) {
      builders[0]!.add(file, record);
      for (const [at, runs] of alternatives.entries()) builders[at + 1]!.add(file, { ...record, runs });
    },
  });
  return settings.map((setting, at) => outcomeOf(setting, builders[at]!.build(0)));
}

/** Scans files under one setting, which need not stand in a file: on the spot, because threads read options from files. */
export async function trySetting(
  files: readonly FoundFile[],
  setting: Setting,
  { accepts, ...options }: CompareOptions,
): Promise<Outcome> {
  const builder = createReportBuilder({ ...PLAIN, accepts });
  const onFile = (file: FoundFile, record: FileRecord): void => builder.add(file, record);
  await scanFiles(files, { ...options, guardOptions: setting.options, cache: undefined, threads: 0, onFile });
  return outcomeOf(setting, builder.build(0));
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

import { configFor } from "../config/config-for.ts";
import { chooseOptions } from "../replay/choose-options.ts";
import { showTimeline } from "../reporters/show-timeline.ts";
import type { ReportedRun } from "../scan/report-builder.ts";
import { createReportBuilder } from "../scan/report-builder.ts";
import { type RunScanOptions, runScan } from "../scan/run-scan.ts";
import { scanFile } from "../scan/scan-file.ts";
import { createScanProgress } from "../scan/scan-progress.ts";
import { createProgress } from "../terminal/progress.ts";
import { createStyle } from "../terminal/style.ts";
import { INTERRUPTED, untilInterrupted } from "../terminal/until-interrupted.ts";
import { UsageError } from "../usage-error.ts";
import type { CommandStreams } from "./command-streams.ts";

export interface ShowOptions
  extends Pick<RunScanOptions, "format" | "reader" | "preset" | "config" | "cost" | "cache" | "includeContent"> {
  readonly all?: boolean;
}

const WIDE = 120;
const MAX_NAMED = 8;
const ALL_TIMES = { since: undefined, until: undefined, words: "all times" };

/** Shows one session as a timeline. Returns the exit code. */
export async function show(
  session: string,
  paths: readonly string[],
  options: ShowOptions,
  streams: CommandStreams,
): Promise<number> {
  const progress = createProgress(streams.messages, () => performance.now());
  const onProgress = createScanProgress(progress, () => performance.now());
  const search = { ...options, includeContent: false, session, range: ALL_TIMES, hasSteps: false, onProgress };
  const { result, isInterrupted } = await untilInterrupted((signal) => runScan(paths, { ...search, signal })).finally(
    () => progress.clear(),
  );
  if (isInterrupted) {
    streams.messages.write("doomloop: stopped early\n");
    return INTERRUPTED;
  }
  const { builder, readers } = result;
  const { record, file, before } = onlyOne(session, builder.runs());
  const reader = readers.find(({ agent }) => agent === record.agent)!;
  const found = await scanFile(file.path, reader, {
    guardOptions: await chooseOptions(options.preset, configFor(options.config)),
    hasCosts: options.cost !== false,
    includesContent: options.includeContent === true,
    onlyRun: record.run,
  });
  const whole = createReportBuilder({
    ...{ ...WHOLE, includesContent: options.includeContent === true },
    nameOf: () => reader.label,
  });
  // A file may hold several runs of one name, and all of them were read.
  const place = Math.min(before, found.runs.length - 1);
  whole.add(file, { ...found, runs: found.runs.slice(place, place + 1), steps: {} });
  const text = showTimeline(whole.build(Date.now()), {
    width: streams.width ?? WIDE,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
    isWhole: options.all === true,
    run: record.run,
    steps: found.steps[place]?.steps ?? [],
  });
  await streams.output.write(text);
  return builder.faults() > 0 ? 1 : 0;
}

const WHOLE = {
  version: "",
  preset: "",
  since: undefined,
  until: undefined,
  pricesAsOf: null,
  hasSteps: false,
  accepts: () => true,
};

function onlyOne(name: string, runs: readonly ReportedRun[]): ReportedRun {
  if (runs.length === 0) throw new UsageError(`no session ${name} found; doomloop scan prints their ids`);
  const called = runs.filter(({ record }) => record.run === name);
  const candidates = [runs.filter(({ id }) => id === name), called, runs].find(({ length }) => length > 0)!;
  const [only, ...others] = candidates;
  if (others.length === 0) return only!;
  const named = candidates.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = candidates.length > MAX_NAMED ? " and others" : "";
  const are = candidates === called ? "are called" : "begin with";
  throw new UsageError(`${candidates.length} sessions ${are} ${name}: ${named.join(", ")}${more}`);
}

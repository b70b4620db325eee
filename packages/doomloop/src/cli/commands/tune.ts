import { writeFileSync } from "node:fs";
import { configFor } from "../config/config-for.ts";
import { readFault } from "../read-fault.ts";
import { chooseOptions } from "../replay/choose-options.ts";
import { findingsTable, settingsTable } from "../reporters/tune-table.ts";
import type { LoopSummary } from "../scan/report.ts";
import { findFiles, isWanted, type RunScanOptions } from "../scan/run-scan.ts";
import { createScanProgress } from "../scan/scan-progress.ts";
import { readTimeRange, type TimeRangeOptions } from "../scan/time-range.ts";
import { count } from "../terminal/count.ts";
import { createProgress } from "../terminal/progress.ts";
import { createStyle } from "../terminal/style.ts";
import { askMarks, markOf } from "../tune/ask-marks.ts";
import { type CompareOptions, compareSettings, isSame, type Outcome } from "../tune/compare-settings.ts";
import { fitSetting } from "../tune/fit-setting.ts";
import { type Mark, readMarks, writeMarks } from "../tune/marks.ts";
import { settingsFor } from "../tune/settings.ts";
import { UsageError } from "../usage-error.ts";
import type { CommandStreams } from "./replay.ts";

export interface TuneOptions
  extends Omit<TimeRangeOptions, "defaultLast">,
    Omit<RunScanOptions, "range" | "hasSteps" | "signal" | "onProgress" | "preset"> {
  readonly right?: readonly string[];
  readonly wrong?: readonly string[];
  readonly ask?: boolean;
  readonly marks?: string;
  readonly write?: boolean;
  readonly top?: string;
}

const WIDE = 120;
const MARKS = "doomloop.marks.json";
const CONFIG = "doomloop.config.json";
const DEFAULT_TOP = 10;

/** Compares settings on transcripts, keeps marks, and fits a configuration to them. Returns the exit code. */
export async function tune(paths: readonly string[], options: TuneOptions, streams: CommandStreams): Promise<number> {
  const marksPath = options.marks ?? MARKS;
  const before = readMarks(marksPath);
  const range = readTimeRange({ ...options, ...(paths.length === 0 ? { defaultLast: "30d" } : {}) }, Date.now());
  const choice = { ...options, range };
  const current = await chooseOptions(undefined, configFor(options.config));
  const { files, readers } = await findFiles(paths, choice);
  if (files.length === 0) throw new UsageError(`no transcripts found in ${range.words}; name a file or folder`);
  const progress = createProgress(streams.messages, () => performance.now());
  const compare: CompareOptions = {
    readers,
    format: options.format,
    accepts: (run, id, file) => isWanted(run, id, file, choice),
    signal: new AbortController().signal,
    onProgress: createScanProgress(progress, () => performance.now()),
  };
  const outcomes = await compareSettings(files, settingsFor(current), compare).finally(() => progress.clear());

  const found = [...new Map(outcomes.flatMap(({ loops }) => loops.map((loop) => [loop.id, loop]))).values()];
  const given = marksFrom(found, options);
  const unmarked = found.filter((loop) => ![...before, ...given].some((mark) => isSame(loop, mark)));
  const asked = options.ask === true && streams.input.isTTY === true ? await askMarks(unmarked) : [];
  const fresh = [...given, ...asked];
  const marks = [...before.filter(({ id }) => !fresh.some((mark) => mark.id === id)), ...fresh];
  if (fresh.length > 0) writeMarks(marksPath, marks);

  const look = {
    width: streams.width ?? WIDE,
    style: createStyle({ isTTY: streams.width !== undefined }, process.env),
  };
  await streams.output.write(settingsTable(outcomes, marks, look));
  if (marks.length === 0 || asked.length + given.length === 0) await listUnmarked(unmarked, options, streams, look);
  if (options.write !== true) return 0;
  if (marks.length === 0) throw new UsageError("--write: marks are required; --ask, --right and --wrong make them");
  const fitted = fitSetting(outcomes, marks);
  if (fitted === current) {
    streams.messages.write("Nothing that was tried fits the marks better than what is in use.\n");
    return 0;
  }
  const [after] = await compareSettings(files, [{ name: "fitted", options: fitted }], compare).finally(() =>
    progress.clear(),
  );
  await report(outcomes[0]!, after!, marks, streams, look);
  write(CONFIG, `${JSON.stringify(fitted, undefined, 2)}\n`);
  streams.messages.write(`Wrote ${CONFIG}\n`);
  return 0;
}

async function listUnmarked(
  loops: readonly LoopSummary[],
  { top }: TuneOptions,
  { output }: CommandStreams,
  look: Look,
): Promise<void> {
  if (loops.length === 0) return;
  const limit = top !== undefined && /^\d{1,5}$/.test(top) ? Number(top) : DEFAULT_TOP;
  await output.write(
    `\n${count(loops.length, "finding")} without a mark; --right ID and --wrong ID mark them, --ask asks.\n\n`,
  );
  await output.write(findingsTable(loops.slice(0, limit), look));
}

type Look = Parameters<typeof settingsTable>[2];

async function report(
  now: Outcome,
  after: Outcome,
  marks: readonly Mark[],
  { output }: CommandStreams,
  look: Look,
): Promise<void> {
  const named = { ...now, setting: { ...now.setting, name: "before" } };
  const fitted = { ...after, setting: { ...after.setting, name: "after" } };
  await output.write(`\n${settingsTable([named, fitted], marks, look)}`);
}

/** The marks that the command line makes. Throws a `UsageError` for a finding that no setting made. */
function marksFrom(found: readonly LoopSummary[], { right = [], wrong = [] }: TuneOptions): readonly Mark[] {
  const mark = (id: string, isRight: boolean): Mark => {
    const loop = found.find((each) => each.id === id);
    if (loop === undefined) throw new UsageError(`no finding ${id}; doomloop tune lists them`);
    return markOf(loop, isRight);
  };
  return [...right.map((id) => mark(id, true)), ...wrong.map((id) => mark(id, false))];
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${readFault(error)}`, { cause: error });
  }
}
